package pointsto

// Recursive reports whether both call-graph nodes lie on one cycle of calls, go and
// defer statements, or are the same. Linear in the call graph at the first question.
func (r *Result) Recursive(a, b *Node) bool {
	if r.components == nil {
		c := &components{result: r, of: make([]int32, r.size), index: make([]int32, r.size), low: make([]int32, r.size)}
		for _, n := range r.nodes {
			if c.index[n.ID] == 0 {
				c.visit(n)
			}
		}
		r.components = c.of
	}
	return r.components[a.ID] == r.components[b.ID]
}

// components finds the strongly connected components of the call graph (Tarjan).
type components struct {
	result     *Result
	of         []int32 // by ID: number of the component, 0 while it is not complete
	index, low []int32
	visited    int32
	complete   int32
	stack      []*Node
}

func (c *components) visit(n *Node) {
	c.visited++
	c.index[n.ID], c.low[n.ID] = c.visited, c.visited
	begin := len(c.stack)
	c.stack = append(c.stack, n)
	for _, site := range n.sites {
		for _, m := range c.result.calleesOf(c.result.s.current(site)) {
			if c.index[m.ID] == 0 {
				c.visit(m)
				c.low[n.ID] = min(c.low[n.ID], c.low[m.ID])
			} else if c.of[m.ID] == 0 {
				c.low[n.ID] = min(c.low[n.ID], c.index[m.ID])
			}
		}
	}
	if c.low[n.ID] == c.index[n.ID] {
		c.complete++
		for _, m := range c.stack[begin:] {
			c.of[m.ID] = c.complete
		}
		c.stack = c.stack[:begin]
	}
}
