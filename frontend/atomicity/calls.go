package atomicity

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// lock takes or releases a lock. It tells whether the path goes on.
func (r *run) lock(s *state, v *ssa.Call, op knowledge.LockOp) bool {
	address := r.value(s, v.Call.Args[0])
	switch op {
	case knowledge.Lock, knowledge.RLock:
		return r.take(s, address, op == knowledge.Lock, v)
	case knowledge.Unlock, knowledge.RUnlock:
		return r.release(s, address, op, v)
	}
	return r.unknown(s, "tries to take a lock")
}

func (r *run) take(s *state, address term, exclusive bool, at ssa.Instruction) bool {
	if r.why != nil || r.isMade(r.rootOf(address)) {
		return r.why == nil
	}
	for _, h := range s.held {
		if r.numberOf(h.lock) == r.numberOf(address) && r.isSame(s, h.lock, address) {
			r.fail(at, "may take a lock twice")
			return false
		}
		r.orders[order{r.numberOf(h.lock), r.numberOf(address)}] = true
	}
	s.time++
	s.held = append(slices.Clone(s.held), hold{address, exclusive, s.time})
	return true
}

func (r *run) release(s *state, address term, op knowledge.LockOp, at ssa.Instruction) bool {
	if r.why != nil || r.isMade(r.rootOf(address)) {
		return r.why == nil
	}
	i := slices.IndexFunc(s.held, func(h hold) bool {
		return h.lock == address && h.exclusive == (op == knowledge.Unlock) && h.since > 0
	})
	if i < 0 {
		r.fail(at, "releases a lock that it may not have taken")
		return false
	}
	if r.moment == nil {
		r.stamp(s, s.held[i])
	}
	s.time++
	s.held = slices.Delete(slices.Clone(s.held), i, i+1)
	return true
}

// call makes a call. It is done if the path goes on behind it at once; else goesOn says whether the path
// goes on at all.
func (r *run) call(s *state, v *ssa.Call) (done, goesOn bool) {
	f := s.top()
	if builtin, ok := v.Call.Value.(*ssa.Builtin); ok {
		return r.builtin(s, v, builtin.Name())
	}
	fn := v.Call.StaticCallee()
	if fn == nil {
		return false, r.unknown(s, "calls what is not known")
	}
	var args []term
	for _, arg := range v.Call.Args {
		args = append(args, r.value(s, arg))
	}
	if r.why != nil {
		return false, false
	}
	switch {
	case knowledge.Pauses(fn):
		return true, true
	case knowledge.IsAtomic(fn):
		return r.atomic(s, v, fn, args)
	case isPure(v.Common()):
		f.env[v] = r.apply("call "+fn.String(), args...)
		return true, true
	}
	if len(fn.Blocks) == 0 || knowledge.IsSynchronisation(fn) || knowledge.IsOpaque(fn) || len(s.frames) > maxDepth ||
		slices.ContainsFunc(s.frames, func(f *frame) bool { return f.fn == fn }) || isRandomOrClock(fn) {
		return false, r.unknown(s, "calls "+fn.Name())
	}
	if len(fn.FreeVars) > 0 {
		return false, r.unknown(s, "calls a function literal")
	}
	g := newFrame(fn)
	g.call = v
	for i, p := range fn.Params {
		g.env[p] = args[i]
	}
	s.frames = append(s.frames, g)
	return false, true
}

func isRandomOrClock(fn *ssa.Function) bool {
	return fn.Pkg != nil && (fn.Pkg.Pkg.Path() == "time" || isRandom(fn.Pkg.Pkg.Path()))
}

// newFrame is an activation at its entry.
func newFrame(fn *ssa.Function) *frame {
	return &frame{fn: fn, block: fn.Blocks[0], env: map[ssa.Value]term{}, visits: map[*ssa.BasicBlock]int{}}
}

// builtin calls a built-in function.
func (r *run) builtin(s *state, v *ssa.Call, name string) (done, goesOn bool) {
	var args []term
	for _, arg := range v.Call.Args {
		args = append(args, r.value(s, arg))
	}
	switch name {
	case "len", "cap":
		t := v.Call.Args[0].Type().Underlying()
		if _, isSlice := t.(*types.Slice); isSlice || isString(t) {
			s.top().env[v] = r.apply(name, args...)
			return true, true
		}
	case "min", "max":
		if isScalar(v.Type()) {
			s.top().env[v] = r.apply(name, args...)
			return true, true
		}
	case "ssa:wrapnilchk":
		if r.nilPanics(s, v.Call.Args[0], v) {
			return false, false
		}
		s.top().env[v] = args[0]
		return true, true
	case "delete":
		goesOn = r.mapOperation(s, v)
		return goesOn, goesOn
	}
	return false, r.unknown(s, "calls "+name)
}

// atomic carries out an operation of package sync/atomic.
func (r *run) atomic(s *state, v *ssa.Call, fn *ssa.Function, args []term) (done, goesOn bool) {
	op := knowledge.Of(fn).Atomic
	t := types.Type(nil)
	if op == knowledge.AtomicLoad {
		t = fn.Signature.Results().At(0).Type()
	} else if len(v.Call.Args) > 1 {
		t = v.Call.Args[1].Type()
	}
	_, isInterface := t.Underlying().(*types.Interface)
	if t == nil || isInterface && op != knowledge.AtomicLoad {
		return false, r.unknown(s, "calls "+fn.Name())
	}
	address := args[0]
	if r.nilPanics(s, v.Call.Args[0], v) {
		return false, false
	}
	if !r.separateLeaf(s, address) {
		return false, r.unknown(s, "accesses memory that is not told apart")
	}
	result, value, writes := term(0), term(0), true
	before := r.peek(s, address, t)
	switch op {
	case knowledge.AtomicLoad:
		result, writes = before, false
	case knowledge.AtomicStore:
		value = args[1]
	case knowledge.AtomicSwap:
		result, value = before, args[1]
	case knowledge.AtomicAdd:
		value = r.sum(before, args[1], false, t)
		result = value
	case knowledge.AtomicAnd, knowledge.AtomicOr:
		value = r.apply("atomic "+strconv.Itoa(int(op)), before, args[1])
		if result = before; fn.Signature.Results().Len() == 0 {
			result = falseTerm
		}
	case knowledge.AtomicCompareAndSwap:
		writes = r.decide(s, r.equal(before, args[1]))
		result, value = r.boolean(writes), args[2]
	default:
		return false, r.unknown(s, "calls "+fn.Name())
	}
	r.tick(s, address, v)
	if writes {
		r.storeLeaf(s, address, value)
	}
	s.top().env[v] = result
	return true, true
}
