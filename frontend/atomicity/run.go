package atomicity

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// maxSteps bounds the instructions that are followed for one unit, in all its paths; maxDepth the calls
// in one another; maxVisits how often a block is come to where a path is followed as it is.
const (
	maxSteps  = 40_000
	maxDepth  = 10
	maxVisits = 4
)

// run follows all paths of a unit. In each gap between two steps, others may write whatever they can;
// or, where there is a moment, all is done at that moment.
type run struct {
	*Program
	*pool
	reduction *reduction
	moment    *moment         // nil: others come between
	stop      *outcome        // where paths are at rest, if they come there
	round     *ssa.BasicBlock // of a loop that is followed for one round
	depth     int             // of the frame with that loop
	steps     *int
	havocs    *int
	orders    map[order]bool
	outcomes  []*outcome
	pending   []*state
	why       *notReduced
}

func (r *run) fail(at ssa.Instruction, what string) {
	if r.why == nil {
		r.why = &notReduced{at, what}
	}
}

// explore follows a path and those that branch off it.
func (r *run) explore(s *state) {
	r.pending = append(r.pending, s)
	for len(r.pending) > 0 && r.why == nil {
		s := r.pending[len(r.pending)-1]
		r.pending = r.pending[:len(r.pending)-1]
		for r.why == nil {
			if *r.steps--; *r.steps < 0 {
				r.fail(s.top().block.Instrs[0], "has too many paths")
				return
			}
			if !r.step(s) {
				break
			}
		}
	}
}

// decide tells whether a condition is true on a path. If that is not known, the path branches: on the
// other one the same instruction is executed again. So it is asked before anything is done.
func (r *run) decide(s *state, t term) bool {
	switch t {
	case trueTerm:
		return true
	case falseTerm:
		return false
	}
	if is, decided := r.close(s.conds, t).value(t); decided {
		return is
	}
	other := s.clone()
	other.conds = append(other.conds, literal{t, false})
	r.pending = append(r.pending, other)
	s.conds = append(s.conds, literal{t, true})
	*r.steps -= 20
	return true
}

// end notes how a path ends.
func (r *run) end(s *state, kind ending, results []term, at ssa.Instruction) {
	r.outcomes = append(r.outcomes, &outcome{s, kind, results, at})
}

// step executes an instruction. It tells whether the path goes on.
func (r *run) step(s *state) bool {
	f := s.top()
	instr := f.block.Instrs[f.index]
	if r.stop != nil && r.stop.kind == rests && isAt(s, r.stop.state) {
		r.end(s, rests, nil, instr)
		return false
	}
	if r.add(s, instr) {
		f.index++
		return r.why == nil
	}
	switch v := instr.(type) {
	case *ssa.DebugRef:
	case *ssa.Jump:
		return r.enter(s, f.block.Succs[0])
	case *ssa.If:
		to := 1
		if r.decide(s, r.value(s, v.Cond)) {
			to = 0
		}
		return r.enter(s, f.block.Succs[to])
	case *ssa.Return:
		return r.returned(s, v)
	case *ssa.Panic:
		r.end(s, panics, []term{r.value(s, v.X)}, instr)
		return false
	case *ssa.Phi: // see enter
	case *ssa.Store:
		if r.nilPanics(s, v.Addr, instr) {
			return false
		}
		address := r.value(s, v.Addr)
		if !r.separate(s, address, v.Val.Type()) {
			return r.unknown(s, "writes memory that is not told apart")
		}
		r.tick(s, address, instr)
		r.store(s, address, v.Val.Type(), r.value(s, v.Val))
	case *ssa.MapUpdate, *ssa.Lookup:
		if !r.mapOperation(s, instr) {
			return false
		}
	case *ssa.Call:
		if _, op, isLock := r.lockOf(v.Common()); isLock {
			if !r.lock(s, v, op) {
				return false
			}
		} else if done, goesOn := r.call(s, v); !done {
			return goesOn
		}
	case *ssa.Defer:
		if !r.reduction.isDeferredUnlock(v) || ssaflow.IsInCycle(v.Block()) {
			return r.unknown(s, "defers a call")
		}
		f.env[deferredLock{v}] = r.value(s, v.Call.Args[0])
		f.defers = append(f.defers, v)
	case *ssa.RunDefers:
		for i := len(f.defers) - 1; i >= 0; i-- {
			_, op, _ := r.lockOf(f.defers[i].Common())
			if !r.release(s, f.env[deferredLock{f.defers[i]}], op, instr) {
				return false
			}
		}
		f.defers = nil
	case ssa.Value:
		if field, ok := v.(*ssa.FieldAddr); ok && r.nilPanics(s, field.X, instr) {
			return false
		}
		if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
			if r.nilPanics(s, load.X, instr) {
				return false
			}
			address := r.value(s, load.X)
			if !r.separate(s, address, load.Type()) {
				return r.unknown(s, "reads memory that is not told apart")
			}
			r.tick(s, address, instr)
			f.env[v] = r.load(s, address, load.Type())
			break
		}
		t, ok := r.compute(s, v)
		if !ok {
			return r.unknown(s, "computes what is not followed")
		}
		f.env[v] = t
	default:
		return r.unknown(s, "does what is not followed")
	}
	if r.why != nil {
		return false
	}
	f.index++
	return true
}

// deferredLock stands for the address of the lock that is to be released.
type deferredLock struct{ *ssa.Defer }

func (d deferredLock) Name() string                  { return "" }
func (d deferredLock) Type() types.Type              { return nil }
func (d deferredLock) Referrers() *[]ssa.Instruction { return nil }

// unknown ends a path at an instruction that is not followed: what is left may be atomic by reduction.
func (r *run) unknown(s *state, what string) bool {
	at := s.top().block.Instrs[s.top().index]
	if r.moment != nil || r.round != nil || !r.restIsAtomic(s) {
		r.fail(at, what)
		return false
	}
	s.moments = append(s.moments, moment{s.time + 1, slices.Clone(s.held), at})
	r.end(s, rests, nil, at)
	return false
}

// restIsAtomic tells whether everything that a path has left to do consists of left movers.
func (r *run) restIsAtomic(s *state) bool {
	red := r.newReduction()
	for i := len(s.frames) - 1; i >= 0; i-- {
		f := s.frames[i]
		index := f.index
		if i < len(s.frames)-1 {
			index++ // behind the call
		}
		red.from(f.block, index, after)
	}
	return red.why == nil
}

// isAt tells whether two paths are at the same place.
func isAt(s, other *state) bool {
	if len(s.frames) != len(other.frames) {
		return false
	}
	for i, f := range s.frames {
		g := other.frames[i]
		if f.fn != g.fn || f.block != g.block || f.index != g.index {
			return false
		}
	}
	return true
}

// returned ends the innermost activation.
func (r *run) returned(s *state, v *ssa.Return) bool {
	f := s.top()
	var results []term
	for _, result := range v.Results {
		results = append(results, r.value(s, result))
	}
	if r.round != nil && len(s.frames)-1 <= r.depth {
		return false // it has left the loop
	}
	if len(s.frames) == 1 {
		r.end(s, returns, results, v)
		return false
	}
	s.frames = s.frames[:len(s.frames)-1]
	switch len(results) {
	case 0:
	case 1:
		s.top().env[f.call] = results[0]
	default:
		s.top().env[f.call] = r.apply("tuple", results...)
	}
	s.top().index++
	return true
}

// enter goes to a block.
func (r *run) enter(s *state, to *ssa.BasicBlock) bool {
	f := s.top()
	from := f.block
	if loop := r.loopAt(to); loop != nil {
		if loop[from] { // round again
			switch {
			case r.round == to && r.depth == len(s.frames)-1:
				r.fail(to.Instrs[0], "may go round for ever")
				return false
			case r.moment == nil && f.loops[to] != nil:
				if !r.isPureRound(s, f.loops[to]) {
					r.fail(to.Instrs[0], "has a loop of which a round may do something")
				}
				return false
			}
		} else if r.moment == nil {
			return r.enterLoop(s, to)
		}
	}
	if r.round != nil && r.depth == len(s.frames)-1 && !r.loopAt(r.round)[to] {
		return false // it has left the loop
	}
	if f.visits[to]++; f.visits[to] > maxVisits {
		r.fail(to.Instrs[0], "goes round")
		return false
	}
	r.phis(s, to)
	return true
}

// phis goes to a block, with the values of its phis.
func (r *run) phis(s *state, to *ssa.BasicBlock) {
	f := s.top()
	values := map[ssa.Value]term{}
	for _, phi := range ssaflow.Phis(to) {
		values[phi] = r.value(s, phi.Edges[slices.Index(to.Preds, f.block)])
	}
	for phi, t := range values {
		f.env[phi] = t
	}
	f.prev, f.block, f.index = f.block, to, len(values)
}

// value returns the term of a value.
func (r *run) value(s *state, v ssa.Value) term {
	switch v := v.(type) {
	case *ssa.Const:
		return r.constantOf(v)
	case *ssa.Function:
		return r.apply("function " + strconv.Itoa(r.id(v)))
	case *ssa.Global:
		if v.Object() == nil {
			return r.apply("variable " + strconv.Itoa(r.id(v)))
		}
		return r.apply("global " + strconv.Itoa(int(r.number(v.Object()))))
	}
	t, ok := s.top().env[v]
	if !ok {
		at := s.top().block.Instrs[s.top().index]
		r.fail(at, "uses what is not known")
	}
	return t
}
