package waits

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A wait for a group ends if the function that waits has made the group for goroutines that it starts itself, of which
// each counts it down whatever happens, and once for each time that it was counted up: so a goroutine waits for such as
// it has started, and these for theirs, of which there is no cycle. What else they wait for is looked at where they do;
// none may go round for ever.

// waitsForOwn is what is waited for then.
const waitsForOwn = "waits for goroutines that it has started"

// group is what is known of a wait group that is a variable of a function.
type group struct {
	isOwn bool
	runs  []*ssa.Function // on the goroutines
}

// isForOwn tells whether an operation is on such a group.
func (s *settler) isForOwn(site ssa.CallInstruction) bool {
	args := site.Common().Args
	return len(args) > 0 && !site.Common().IsInvoke() && s.groupOf(args[0]) != nil
}

// groupOf returns what is known of the group that an operation is on; nil: nothing.
func (s *settler) groupOf(v ssa.Value) *group {
	made := ownVariable(v)
	if made == nil {
		return nil
	}
	g := s.groups[made]
	if g == nil {
		g = newGroup(made)
		s.groups[made] = g
	}
	if !g.isOwn {
		return nil
	}
	return g
}

// ownVariable returns the variable of a function, or of the one that a literal is in, whose address a value is.
func ownVariable(v ssa.Value) *ssa.Alloc {
	switch x := v.(type) {
	case *ssa.Alloc:
		return x
	case *ssa.FreeVar:
		if x.Parent().Parent() == nil { // a method value
			return nil
		}
		for _, b := range x.Parent().Parent().Blocks {
			for _, instr := range b.Instrs {
				made, ok := instr.(*ssa.MakeClosure)
				if !ok || made.Fn != ssa.Value(x.Parent()) {
					continue
				}
				for i, free := range x.Parent().FreeVars {
					if free == x {
						return ownVariable(made.Bindings[i])
					}
				}
			}
		}
	}
	return nil
}

// newGroup looks at all that is done with a group.
func newGroup(made *ssa.Alloc) *group {
	g := &group{}
	if types.TypeString(made.Type(), nil) != "*sync.WaitGroup" { // an errgroup.Group may start fewer goroutines
		return g
	}
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Go:
			if !g.counts(r, r.Call.StaticCallee(), made) {
				return g
			}
		case *ssa.MakeClosure:
			if !g.captures(r, made) {
				return g
			}
		case *ssa.Call:
			if len(r.Call.Args) == 0 || r.Call.Args[0] != ssa.Value(made) {
				return g
			}
			switch operationOf(&r.Call) {
			case knowledge.Wait:
			case knowledge.Go:
				run := functionOf(r.Call.Args[1])
				if run == nil {
					return g
				}
				g.runs = append(g.runs, run)
			case knowledge.Add:
				if !startsAsMany(r, made) {
					return g
				}
			default:
				return g
			}
		default:
			return g
		}
	}
	g.isOwn = true
	return g
}

// operationOf tells which operation on a wait group a call is, if any.
func operationOf(call *ssa.CallCommon) knowledge.WaitGroupOp {
	if fn := call.StaticCallee(); fn != nil {
		op, _ := knowledge.WaitGroupOperation(fn)
		return op
	}
	return knowledge.NoGroup
}

func functionOf(v ssa.Value) *ssa.Function {
	switch x := v.(type) {
	case *ssa.MakeClosure:
		return x.Fn.(*ssa.Function)
	case *ssa.Function:
		return x
	}
	return nil
}

// counts tells whether a goroutine that is handed a group counts it down once, and was started for that.
func (g *group) counts(site *ssa.Go, fn *ssa.Function, made *ssa.Alloc) bool {
	if fn == nil || !countsDown(site, made) {
		return false
	}
	g.runs = append(g.runs, fn)
	return precededByAdd(site, made)
}

// captures tells whether a function literal that has captured a group does nothing with it but to count it down as a
// goroutine, or to wait for it as one, or to be run by it.
func (g *group) captures(closure *ssa.MakeClosure, made *ssa.Alloc) bool {
	fn := closure.Fn.(*ssa.Function)
	var site *ssa.Go
	for _, r := range *closure.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Go:
			if site != nil || r.Call.Value != ssa.Value(closure) {
				return false
			}
			site = r
		default:
			return false
		}
	}
	if site == nil {
		return false
	}
	if onlyWaits(closure, made) {
		return true
	}
	return g.counts(site, fn, made)
}

// insideOf returns what a group is in a function that a goroutine runs: each parameter and captured variable; nil where
// the function is not known.
func insideOf(site *ssa.Go, made *ssa.Alloc) (all []ssa.Value) {
	fn := site.Call.StaticCallee()
	if closure, ok := site.Call.Value.(*ssa.MakeClosure); ok {
		for i, b := range closure.Bindings {
			if b == ssa.Value(made) {
				all = append(all, fn.FreeVars[i])
			}
		}
	}
	for i, arg := range site.Call.Args {
		switch {
		case arg != ssa.Value(made):
		case fn == nil || i >= len(fn.Params):
			all = append(all, nil)
		default:
			all = append(all, fn.Params[i])
		}
	}
	return all
}

// countsDown tells whether what a goroutine does with a group is to defer that it is counted down, first of all: of
// what is before that, nothing can end it.
func countsDown(site *ssa.Go, made *ssa.Alloc) bool {
	all := insideOf(site, made)
	if len(all) != 1 || all[0] == nil {
		return false
	}
	uses := 0
	for _, r := range *all[0].Referrers() {
		d, ok := r.(*ssa.Defer)
		if _, isDebug := r.(*ssa.DebugRef); isDebug {
			continue
		}
		if !ok || d.Block().Index != 0 || operationOf(&d.Call) != knowledge.Done {
			return false
		}
		for _, instr := range d.Block().Instrs {
			if instr == ssa.Instruction(d) {
				break
			}
			if _, isCall := instr.(*ssa.Call); isCall {
				return false
			}
		}
		uses++
	}
	return uses == 1
}

// onlyWaits tells whether a function literal does nothing with a group but to wait for it.
func onlyWaits(closure *ssa.MakeClosure, made *ssa.Alloc) bool {
	for i, b := range closure.Bindings {
		if b != ssa.Value(made) {
			continue
		}
		for _, r := range *closure.Fn.(*ssa.Function).FreeVars[i].Referrers() {
			call, ok := r.(*ssa.Call)
			if _, isDebug := r.(*ssa.DebugRef); isDebug {
				continue
			}
			if !ok || operationOf(&call.Call) != knowledge.Wait {
				return false
			}
		}
	}
	return true
}

// startsAsMany tells whether so many goroutines are started right after a group was counted up that count it down.
func startsAsMany(add *ssa.Call, made *ssa.Alloc) bool {
	n, ok := add.Call.Args[1].(*ssa.Const)
	if !ok || n.Value == nil {
		return false
	}
	count, exact := constant.Int64Val(n.Value)
	started := int64(0)
	for _, instr := range behind(add) {
		switch x := instr.(type) {
		case *ssa.Go:
			if len(insideOf(x, made)) > 0 && !isWaiter(x, made) {
				started++
			}
		case *ssa.Call, *ssa.Defer, *ssa.Panic:
			return exact && started == count
		}
	}
	return exact && started == count
}

// isWaiter tells whether a goroutine waits for the group itself.
func isWaiter(site *ssa.Go, made *ssa.Alloc) bool {
	closure, ok := site.Call.Value.(*ssa.MakeClosure)
	return ok && onlyWaits(closure, made)
}

// behind returns the instructions behind one in its block.
func behind(instr ssa.Instruction) []ssa.Instruction {
	all := instr.Block().Instrs
	for i, x := range all {
		if x == instr {
			return all[i+1:]
		}
	}
	return nil
}

// precededByAdd tells whether the last call before a goroutine is started counts up the group.
func precededByAdd(site *ssa.Go, made *ssa.Alloc) bool {
	var last *ssa.Call
	for _, instr := range site.Block().Instrs {
		if instr == ssa.Instruction(site) {
			break
		}
		if call, ok := instr.(*ssa.Call); ok {
			last = call
		}
	}
	return last != nil && len(last.Call.Args) > 0 && last.Call.Args[0] == ssa.Value(made) &&
		operationOf(&last.Call) == knowledge.Add
}

// endlessGroups returns that it is waited for groups, if a goroutine that counts one down may go round for ever.
func (s *settler) endlessGroups() (all []Event) {
	for made, g := range s.groups {
		for _, fn := range g.runs {
			for _, n := range s.graph.NodesOf(fn) {
				for _, e := range s.withinReached(n).events {
					if g.isOwn && (e.What == goesRound || e.What == goesForEver) {
						all = append(all, Event{What: waitsForGroup, Function: s.name(made.Parent())})
					}
				}
			}
		}
	}
	return all
}
