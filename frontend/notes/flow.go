package notes

import "github.com/empire-go/empire-go/esl"

// flow is where control can come in a model, and who calls whom: what all questions about what is
// held have in common.
type flow struct {
	program *esl.Program
	reached [][]bool // by function and statement, the end last: whether control comes there from its entry
	returns []bool   // by function
	calls   [][]int  // by function: the indices of its calls
	callers [][]int  // by function, each once
}

// newFlow follows control through a model. It takes O(statements x depth of calls) steps.
func newFlow(p *esl.Program) *flow {
	n := len(p.Functions)
	w := &flow{program: p, reached: make([][]bool, n), returns: make([]bool, n), calls: make([][]int, n),
		callers: make([][]int, n)}
	dirty := make([]bool, n)
	for f := range p.Functions {
		dirty[f] = true
		w.reached[f] = make([]bool, len(p.Functions[f].Body)+1)
		for i := range p.Functions[f].Body {
			s := &p.Functions[f].Body[i]
			if s.Op != esl.Call {
				continue
			}
			w.calls[f] = append(w.calls[f], i)
			if all := w.callers[s.Arg]; len(all) == 0 || all[len(all)-1] != f {
				w.callers[s.Arg] = append(all, f)
			}
		}
	}
	for again := true; again; {
		again = false
		for f := n - 1; f >= 0; f-- { // callees have later numbers
			if !dirty[f] {
				continue
			}
			dirty[f] = false
			if !w.reach(f) || w.returns[f] {
				continue
			}
			w.returns[f], again = true, true
			for _, caller := range w.callers[f] {
				dirty[caller] = true
			}
		}
	}
	return w
}

// reach follows control through a function, and tells whether it returns.
func (w *flow) reach(f int) (returns bool) {
	body, reached := w.program.Functions[f].Body, w.reached[f]
	reached[0] = true
	for again := true; again; {
		again = false
		for i := range body {
			s := &body[i]
			switch {
			case !reached[i]:
			case s.Op == esl.Goto || s.Op == esl.Choice:
				for _, t := range s.Targets {
					again = again || !reached[t] && t <= i
					reached[t] = true
				}
			case s.Op == esl.Return:
				returns = true
			case s.Op != esl.Call || w.returns[s.Arg]:
				reached[i+1] = true
			}
		}
	}
	return returns || reached[len(body)]
}
