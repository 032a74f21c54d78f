package notes

import (
	"github.com/empire-go/empire-go/esl"
)

// LibrarySteps returns the model in which a call of a library is one step, so far as it accesses what a field
// leads to that guards itself: the locations for which isPart holds. In place of what functions of other modules
// and of the standard library do to that, the call by which the user's code gets there may do it, at once. ok is
// false if nothing of the kind is in the model. Linear in the model for each such call.
//
// A violation that is left is one of the user's code, which calls the library twice. One that is not left lies within
// a call: it is a question to the library, whose objects have locks of their own.
func LibrarySteps(p *esl.Program, isPart func(location int) bool) (steps *esl.Program, ok bool) {
	isInside := func(f esl.Function, st esl.Stmt) bool {
		return isOfLibrary(f) && st.Op == esl.Access && isPart(st.Arg)
	}
	effects := map[int]map[int]esl.AccessKind{} // of functions of libraries that are called by others: by location
	effectOf := func(f int) map[int]esl.AccessKind {
		if effects[f] == nil {
			effects[f] = map[int]esl.AccessKind{}
			forCalled(p, f, func(g esl.Function) {
				for _, st := range g.Body {
					if isInside(g, st) {
						effects[f][st.Arg] = together(effects[f], st)
						ok = true
					}
				}
			})
		}
		return effects[f]
	}
	isStep := func(f esl.Function, st esl.Stmt) bool {
		return !isOfLibrary(f) && st.Op == esl.Call && isOfLibrary(p.Functions[st.Arg]) && len(effectOf(st.Arg)) > 0
	}
	steps = rewrite(p, func(f esl.Function, st esl.Stmt) bool { return isInside(f, st) || isStep(f, st) },
		func(st esl.Stmt, at int) []esl.Stmt {
			if st.Op == esl.Access {
				return []esl.Stmt{{Op: esl.Skip, Pos: st.Pos}}
			}
			var all []esl.Stmt
			for location := range p.Locations {
				if kind, accessed := effectOf(st.Arg)[location]; accessed {
					here := at + len(all)
					all = append(all, esl.Stmt{Op: esl.Choice, Targets: []int{here + 1, here + 2}, Pos: st.Pos},
						esl.Stmt{Op: esl.Access, Arg: location, Access: kind, Pos: st.Pos})
				}
			}
			return append(all, st)
		})
	return steps, ok
}

// isOfLibrary tells whether a function is of another module, or of the standard library.
func isOfLibrary(f esl.Function) bool { return f.Pos.File != "" && !f.Pos.InModule() }

// forCalled calls visit for a function of a library, and for those that it calls without leaving the libraries.
func forCalled(p *esl.Program, f int, visit func(esl.Function)) {
	seen := map[int]bool{f: true}
	for work := []int{f}; len(work) > 0; work = work[1:] {
		visit(p.Functions[work[0]])
		for _, st := range p.Functions[work[0]].Body {
			if st.Op == esl.Call && !seen[st.Arg] && isOfLibrary(p.Functions[st.Arg]) {
				seen[st.Arg] = true
				work = append(work, st.Arg)
			}
		}
	}
}

// together returns the kind of one step that does what is known and what a statement does.
func together(known map[int]esl.AccessKind, st esl.Stmt) esl.AccessKind {
	kind, accessed := known[st.Arg]
	if st.Access.Writes() || accessed && kind.Writes() {
		return esl.RMW
	}
	return esl.AtomicRead
}
