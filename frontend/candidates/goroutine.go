package candidates

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/fresh"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/query"
)

// goroutine is a function that goroutines begin with: the roots are one, as only one of
// them runs in a program.
type goroutine struct {
	node     *pointsto.Node // nil for the roots
	repeated bool           // started more than once
}

// goroutineSet is a bit set of indices of goroutines.
type goroutineSet []uint64

func (s goroutineSet) has(i int) bool { return i/64 < len(s) && s[i/64]&(1<<(i%64)) != 0 }

// add adds the members of t, and tells whether that changed the set.
func (s *goroutineSet) add(t goroutineSet) (changed bool) {
	for len(*s) < len(t) {
		*s = append(*s, 0)
	}
	for i, w := range t {
		changed = changed || w&^(*s)[i] != 0
		(*s)[i] |= w
	}
	return changed
}

func setOf(i int) goroutineSet {
	s := make(goroutineSet, i/64+1)
	s[i/64] = 1 << (i % 64)
	return s
}

// findGoroutines tells for each node which goroutines can run it. A method that formats is run by those that
// hand its object to a function that calls it.
func (f *finder) findGoroutines() {
	f.goroutines, f.names = []goroutine{{}}, map[*pointsto.Node]string{}
	callees := map[*pointsto.Node][]*pointsto.Node{}
	var found []*pointsto.Node
	find := func(n *pointsto.Node) {
		if _, known := callees[n]; !known {
			callees[n] = nil
			found = append(found, n)
		}
	}
	started := map[*pointsto.Node]bool{}
	for _, root := range f.graph.Roots() {
		find(root)
	}
	for i := 0; i < len(found); i++ {
		f.poll.Check()
		n := found[i]
		for _, e := range f.graph.Calls(n) {
			isOut := f.graph.IsOfClass(n, knowledge.Formatters) && !f.graph.IsOfClass(e.Callee, knowledge.Formatters)
			switch {
			case isOut: // it is looked at where n was handed something
			case !e.IsStart():
				callees[n] = append(append(callees[n], e.Callee), f.printing.Callees(e)...)
			case !started[e.Callee]:
				started[e.Callee] = true
				f.goroutines = append(f.goroutines, goroutine{e.Callee, !f.often.Once(e.Callee)})
				find(e.Callee)
			}
		}
		for _, callee := range callees[n] {
			find(callee)
		}
	}
	f.spread(callees)
}

// spread tells for each node which goroutines can run it, by what nodes call. Sweeps in reverse postorder settle a
// program without recursion in one.
func (f *finder) spread(callees map[*pointsto.Node][]*pointsto.Node) {
	f.runs = make(map[*pointsto.Node]*goroutineSet, len(callees))
	var postorder []*pointsto.Node
	begin := func(n *pointsto.Node, goroutine int) {
		postorder = f.addPostorder(n, callees, postorder)
		f.runs[n].add(setOf(goroutine))
	}
	for _, root := range f.graph.Roots() {
		begin(root, 0)
	}
	for i, g := range f.goroutines[1:] {
		begin(g.node, i+1)
	}
	for changed := true; changed; {
		changed = false
		for _, n := range slices.Backward(postorder) {
			f.poll.Check()
			by := *f.runs[n]
			for _, callee := range callees[n] {
				changed = f.runs[callee].add(by) || changed
			}
		}
	}
}

// addPostorder appends the nodes below one that are new, each behind what it calls, and gives them empty sets.
func (f *finder) addPostorder(from *pointsto.Node, callees map[*pointsto.Node][]*pointsto.Node,
	order []*pointsto.Node) []*pointsto.Node {
	type frame struct {
		node *pointsto.Node
		rest []*pointsto.Node
	}
	var stack []frame
	visit := func(n *pointsto.Node) {
		if f.runs[n] == nil {
			f.runs[n] = &goroutineSet{}
			stack = append(stack, frame{n, callees[n]})
		}
	}
	for visit(from); len(stack) > 0; {
		top := &stack[len(stack)-1]
		if len(top.rest) == 0 {
			order, stack = append(order, top.node), stack[:len(stack)-1]
			continue
		}
		next := top.rest[0]
		top.rest = top.rest[1:]
		visit(next)
	}
	return order
}

// goroutineName names a goroutine by the first function of the main module that it runs.
func (f *finder) goroutineName(n *pointsto.Node) string {
	if n == nil {
		return "main"
	}
	name, ok := f.names[n]
	if !ok {
		name = f.firstOwn(n)
		f.names[n] = name
	}
	return name
}

// firstOwn names the first function of the main module that a goroutine runs; its first of all where none is found.
func (f *finder) firstOwn(n *pointsto.Node) string {
	seen := map[*pointsto.Node]bool{n: true}
	for work := []*pointsto.Node{n}; len(work) > 0; work = work[1:] {
		if f.isOwn(work[0].Func) && work[0].Func.Synthetic == "" {
			return f.functionName(work[0].Func)
		}
		for _, e := range f.graph.Calls(work[0]) {
			if !seen[e.Callee] && !e.IsStart() && len(seen) < 2000 {
				seen[e.Callee] = true
				work = append(work, e.Callee)
			}
		}
	}
	return f.functionName(n.Func)
}

// share is who accesses an object.
type share struct {
	by      goroutineSet
	written bool // after it was made
}

// shared tells whether two goroutines do, or several of one kind, one of them writing.
func (f *finder) shared(s *share) bool { return s != nil && s.written && f.several(s.by) }

// several tells whether the goroutines are two, or any number of one kind.
func (f *finder) several(by goroutineSet) bool {
	names, repeated := 0, false
	for i, g := range f.goroutines {
		if by.has(i) {
			names++
			repeated = repeated || g.repeated
		}
	}
	return repeated || names > 1
}

// goroutineNames lists the goroutines of a set.
func (f *finder) goroutineNames(s goroutineSet) []string {
	var names []string
	for i, g := range f.goroutines {
		if !s.has(i) {
			continue
		}
		if name := f.goroutineName(g.node); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// noteShare notes who accesses the objects behind a use.
func (f *finder) noteShare(n *pointsto.Node, u use) {
	by := f.runs[n]
	if by == nil || u.global != nil {
		return
	}
	for _, o := range f.graph.PointsTo(n, u.base).Objects() {
		s := f.types[u.owner.Obj()].share(o.Site)
		s.by.add(*by)
		s.written = s.written || u.kind&writes != 0
	}
}

// printed is objects that functions get which print or encode them, from some goroutines: with what those lead to
// where they follow pointers by themselves.
type printed struct {
	by            goroutineSet
	objects, deep []*pointsto.Object
}

// notePrinted notes an argument of such a function.
func (f *finder) notePrinted(n *pointsto.Node, arg ssa.Value, effect knowledge.Effect) {
	by := f.runs[n]
	if by == nil || !fresh.HoldsPointers(arg.Type()) {
		return
	}
	key := fmt.Sprint(*by)
	p := f.printed[key]
	if p == nil {
		p = &printed{by: *by}
		f.printed[key] = p
	}
	to := &p.objects
	if effect.Deep {
		to = &p.deep
	}
	for _, o := range f.graph.PointsTo(n, arg).Objects() {
		*to = append(*to, o)
		if _, isArray := o.Type.Underlying().(*types.Array); isArray { // of the arguments of a variadic function
			*to = append(*to, f.graph.Contents(pointsto.Cell{Object: o, Path: "[]"}).Objects()...)
		}
	}
}

// notePrinters notes who reads what is printed. What is reached by the same goroutines is looked for once.
func (f *finder) notePrinters() {
	for _, p := range f.printed {
		for _, o := range append(p.objects, f.graph.Reachable(p.deep...)...) {
			named := query.NamedStruct(o.Type)
			if o.Site == nil || named == nil || f.types[named.Obj()] == nil {
				continue
			}
			of := f.types[named.Obj()]
			of.share(o.Site).by.add(p.by)
			for _, x := range of.fields {
				x.by.add(p.by)
				x.meetingAt(o).by.add(p.by)
			}
		}
	}
}

// share returns who accesses what is made at a site.
func (o *owner) share(site ssa.Value) *share {
	if o.shares[site] == nil {
		o.shares[site] = &share{}
	}
	return o.shares[site]
}
