package relevance

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/lockset"
	"github.com/empire-go/empire-go/frontend/modref"
	"github.com/empire-go/empire-go/frontend/mustalias"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/rules"
	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// Function tells, for one use of a function, where the values that it reads of the
// atomic set no longer matter ("reads that are checked again"). It is a static
// analysis of the SSA form:
//
//   - (a) nothing computed from the value is live, none of it was stored, passed on
//     or returned, and the branches on it have closed;
//   - (b) the location is read again, nothing computed from the first value is used
//     from then on, and what the branches ask is decided on the second value before
//     anything else is done to the atomic set (see decision);
//   - (c) the value is what a compare-and-swap expects: when that succeeds, and when
//     it has failed, but for what was decided on the value: for that, (b) holds.
//
// A value that leaves the activation is taken to matter to the end of the unit. It
// takes O(reads x accesses x instructions) time.
type Function struct {
	*ssaflow.Flow
	node *pointsto.Node
	// by place: may access the atomic set, itself or in what it calls
	touches []bool
	nested  bool                                               // the activation may be part of a larger unit of work
	spins   func(ssa.CallInstruction) (knowledge.LockOp, bool) // see isolate.SpinOperation

	// forgets is, by place, the reads that no longer matter just before it;
	// swapped and unswapped the same where a compare-and-swap there succeeds or
	// fails.
	Forgets, Swapped, Unswapped map[ssa.Instruction][]forget
	Planned                     map[ssa.Instruction]bool           // reads that are forgotten somewhere
	because                     map[ssa.Value]map[*rules.Rule]bool // by read: the rules by which it is
	// reads that are forgotten where their loop begins anew: see planRounds
	Rounds map[ssa.Instruction]bool
	ahead  map[ssa.Value]ssaflow.PlaceSet // see canForget

	Tries map[ssa.Value]Failure // calls that only look if they fail

	Passing map[ssa.Instruction]bool              // reads that decide only what passes
	Passed  map[ssa.Instruction][]ssa.Instruction // by place: those that have passed there
}

// forget says that a read no longer matters.
type forget struct {
	Read    ssa.Value
	Exact   bool // else only if the instruction accesses the same location
	Passing bool // in the model without notes only: see planRounds
}

// maxLooks and maxPlaces bound the functions that are analysed; in larger ones
// every read counts.
const (
	maxLooks  = 24
	maxPlaces = 2000
)

// RelevanceOf returns the relevance for a node, nil if every read of it counts.
func (l *Reads) RelevanceOf(n *pointsto.Node) *Function {
	return ssaflow.Remember(l.nodes, n, func() *Function { return l.newRelevance(n) })
}

func (l *Reads) newRelevance(n *pointsto.Node) *Function {
	if l.strict || l.Touching().Recursive[n] {
		return nil
	}
	places := 0
	for _, b := range n.Func.Blocks {
		places += len(b.Instrs)
	}
	if places > maxPlaces {
		l.switchOff(n)
		return nil
	}
	onlyOperands := func(ssa.Instruction) []ssa.Value { return nil }
	facts := ssaflow.Remember(l.functions, n.Func, func() *ssaflow.Function {
		return ssaflow.NewFunction(n.Func, onlyOperands)
	})
	r := &Function{Flow: ssaflow.NewFlow(facts), node: n, spins: l.Stars.SpinOperation,
		Forgets: map[ssa.Instruction][]forget{}, Swapped: map[ssa.Instruction][]forget{},
		Unswapped: map[ssa.Instruction][]forget{}, Planned: map[ssa.Instruction]bool{},
		because: map[ssa.Value]map[*rules.Rule]bool{}, Rounds: map[ssa.Instruction]bool{},
		ahead: map[ssa.Value]ssaflow.PlaceSet{}, Tries: map[ssa.Value]Failure{}}
	r.touches = make([]bool, len(r.Instrs))
	var swaps []ssaflow.Place
	var tries []ssa.Value
	for p, instr := range r.Instrs {
		r.touches[p] = l.TouchesSet(n, instr)
		if r.touches[p] && ssaflow.IsCompareAndSwap(instr) {
			swaps = append(swaps, ssaflow.Place(p))
		}
		v, ok := instr.(ssa.Value)
		if !ok || !r.touches[p] {
			continue
		}
		if modref.IsRead(instr) || l.IsLookCall(n, instr) {
			r.Looks = append(r.Looks, v)
		} else if f, ok := l.failureOf(n, instr); ok {
			r.Tries[v] = f
			tries = append(tries, v)
		}
	}
	if len(r.Looks)+len(tries) > maxLooks {
		l.switchOff(n)
		return nil
	}
	r.findPassing()
	r.nested = l.Touching().Nested[n]
	for _, look := range r.Looks {
		r.plan(l, look)
	}
	for _, swap := range swaps {
		r.planFailed(l, swap)
	}
	for _, try := range tries {
		r.plan(l, try)
	}
	for _, look := range slices.Concat(r.Looks, tries) {
		r.planRounds(look)
	}
	if len(r.Planned) == 0 && len(r.Rounds) == 0 && len(r.Passing) == 0 {
		return nil
	}
	return r
}

// plan finds the places where a read is forgotten.
func (r *Function) plan(l *Reads, look ssa.Value) {
	read := r.At[look.(ssa.Instruction)]
	for q := range r.Instrs {
		q := ssaflow.Place(q)
		if !r.touches[q] && !r.isBeforeBranch(q) {
			continue
		}
		inside, ok := r.Between(read, q)
		if !ok {
			continue
		}
		derived := r.DerivedWithin(look, inside)
		if !r.touches[q] && len(r.openBranches(q, inside, derived)) == 0 {
			continue
		}
		if _, isTry := r.Tries[look]; isTry {
			if r.isOver(read, q, inside, derived) {
				r.add(r.Forgets, q, forget{Read: look, Exact: true}, rules.FailedTries)
			}
			continue
		}
		if r.expects(l, q, look) {
			r.add(r.Swapped, q, forget{Read: look, Exact: true}, rules.SwapExpects)
			if !r.usesAny(r.afterFailure(r.Instrs[q]), derived) && !r.storesIn(l, inside, derived, r.Instrs[q]) {
				r.add(r.Unswapped, q, forget{Read: look, Exact: true}, rules.SwapExpects)
			}
		}
		f := forget{Read: look, Exact: true}
		rule := r.isForgotten(l, read, q, inside, derived, &f)
		if rule != nil && (r.touches[q] || rule == rules.DecidedAgain) {
			r.add(r.Forgets, q, f, rule)
		}
	}
}

// isBeforeBranch tells whether the instruction after that at a place is a branch: where that asks
// whether to look again, the first look may be over.
func (r *Function) isBeforeBranch(p ssaflow.Place) bool {
	if int(p)+1 == len(r.Instrs) || r.Instrs[p].Block() != r.Instrs[p+1].Block() {
		return false
	}
	_, is := r.Instrs[p+1].(*ssa.If)
	return is
}

func (r *Function) add(to map[ssa.Instruction][]forget, q ssaflow.Place, f forget, rule *rules.Rule) {
	to[r.Instrs[q]] = append(to[r.Instrs[q]], f)
	r.Planned[f.Read.(ssa.Instruction)] = true
	if r.because[f.Read] == nil {
		r.because[f.Read] = map[*rules.Rule]bool{}
	}
	r.because[f.Read][rule] = true
}

// NoteRules notes that the model rests on the rules by which a read is forgotten.
func (r *Function) NoteRules(to *rules.Record, read ssa.Value) {
	for rule := range r.because[read] {
		to.Use(rule, true)
	}
}

// switchOff notes that a node is too large for its reads to be looked at.
func (l *Reads) switchOff(n *pointsto.Node) {
	if l.Touching().Nodes[n] {
		l.Rules.SwitchOff(rules.DeadReads)
		l.Rules.SwitchOff(rules.DecidedAgain)
	}
}

// isForgotten returns the rule by which a read no longer matters just before place q, nil if
// it does; inside is what is executed between the two.
func (r *Function) isForgotten(l *Reads, read, q ssaflow.Place, inside ssaflow.PlaceSet, derived map[ssa.Value]bool,
	f *forget) *rules.Rule {
	if r.usesAny(q, derived) {
		return nil
	}
	if r.failedSwap(l, read, q, inside, derived, f) {
		return rules.SwapExpects
	}
	for p, in := range inside {
		if in && r.keeps(r.Instrs[p], derived) {
			return nil
		}
	}
	open := r.openBranches(q, inside, derived)
	switch {
	case len(open) == 0:
		return rules.DeadReads
	case r.leavesTrace(read, q, inside):
		return nil
	case r.isPureIteration(read, q):
		return rules.PureIterations
	case !r.isDecidedAgain(l, open, read, q, inside, derived, f):
		return nil
	}
	return rules.DecidedAgain
}

// openBranches returns the branches on a value that are still of effect at place q.
func (r *Function) openBranches(q ssaflow.Place, inside ssaflow.PlaceSet, derived map[ssa.Value]bool) (open []*ssa.If) {
	for p, in := range inside {
		branch, ok := r.Instrs[p].(*ssa.If)
		if in && ok && derived[branch.Cond] && !r.isClosed(branch, q) {
			open = append(open, branch)
		}
	}
	return open
}

// leavesTrace tells whether something is done on some ways from the read to q and not
// on others, so that it shows afterwards which way a branch between went: a lock may be
// held or not.
func (r *Function) leavesTrace(read, q ssaflow.Place, inside ssaflow.PlaceSet) bool {
	return r.countsIterations(read, q, inside) || r.actsDiffer(read, q, inside, nothing)
}

// nothing is lost.
func nothing(ssa.Instruction) bool { return false }

// actsDiffer is leavesTrace but for variables that count iterations, and for what is lost before q.
func (r *Function) actsDiffer(read, q ssaflow.Place, inside ssaflow.PlaceSet, isLost func(ssa.Instruction) bool) bool {
	if lockset.LocksDiffer(r.Flow, r.spins, read, q, inside) {
		return true
	}
	for p, in := range inside {
		instr := r.Instrs[p]
		if !in || !hasEffect(instr) || r.touches[p] && ssaflow.IsCompareAndSwap(instr) ||
			r.isLookOr(ssaflow.Place(p), read) || isLost(instr) {
			continue
		}
		around := ssaflow.Reach(read, r.Succs, func(x ssaflow.Place) bool {
			return x == read || x == q || x == ssaflow.Place(p)
		})
		if around[q] {
			return true
		}
	}
	return false
}

// isLookOr tells whether what is at a place is a look, or the read that is asked about: where
// that is a call that may fail, only its failing is.
func (r *Function) isLookOr(p, read ssaflow.Place) bool {
	return p == read || r.IsLook(ssaflow.AsValue(r.Instrs[p]))
}

// hasEffect tells whether the instruction changes something that can be seen later;
// taking and releasing locks (see locksDiffer), waiting and output do not count.
func hasEffect(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer:
		return true
	case *ssa.UnOp:
		return v.Op == token.ARROW
	case *ssa.Call:
		if callee := v.Call.StaticCallee(); callee != nil {
			_, isLock := knowledge.LockOperation(callee)
			group, isGroup := knowledge.WaitGroupOperation(callee)
			if isLock || isGroup && group == knowledge.Wait || knowledge.IsCondWait(callee) {
				return false
			}
		}
		return !ssaflow.Computes(v) && !ssaflow.OnlyLoads(v.Common(), 0) && !knowledge.IsOutput(v.Common())
	}
	return false
}

// usesAny tells whether one of the values is used at or after a place.
func (r *Function) usesAny(p ssaflow.Place, values map[ssa.Value]bool) bool {
	for v := range r.LiveBefore(p) {
		if values[v] {
			return true
		}
	}
	return false
}

// isLiveAfter tells whether one of the values is used after a place.
func (r *Function) isLiveAfter(p ssaflow.Place, values map[ssa.Value]bool) bool {
	return slices.ContainsFunc(r.Succs[p], func(q ssaflow.Place) bool { return r.usesAny(q, values) })
}

// keeps tells whether the instruction makes a value of the set matter to the end of
// the unit: it stores it, passes it on or returns it.
func (r *Function) keeps(instr ssa.Instruction, derived map[ssa.Value]bool) bool {
	is := func(values ...ssa.Value) bool {
		return slices.ContainsFunc(values, func(v ssa.Value) bool { return derived[v] })
	}
	switch v := instr.(type) {
	case *ssa.Store:
		variable := ssaflow.OwnVariableOf(v.Addr) // whose value is followed, or not
		return is(v.Val) && (variable == nil || !derived[variable]) || is(ssaflow.Indices(v.Addr)...)
	case *ssa.MapUpdate:
		return is(v.Key, v.Value)
	case *ssa.Send:
		return is(v.X)
	case *ssa.Select:
		return slices.ContainsFunc(v.States, func(st *ssa.SelectState) bool { return is(st.Send) })
	case *ssa.Return:
		return is(v.Results...)
	case *ssa.MakeClosure:
		return is(v.Bindings...)
	case *ssa.Panic:
		return is(v.X)
	case ssa.CallInstruction:
		return r.callKeeps(v, is)
	}
	return false
}

func (r *Function) callKeeps(call ssa.CallInstruction, is func(...ssa.Value) bool) bool {
	common := call.Common()
	_, isCall := call.(*ssa.Call)
	switch {
	case !isCall: // it runs later, or elsewhere
		return is(append(common.Args[:len(common.Args):len(common.Args)], common.Value)...)
	case ssaflow.IsBuiltin(call, "append"):
		return is(common.Args[1:]...)
	case ssaflow.IsBuiltin(call, "delete"), ssaflow.IsBuiltin(call, "clear"), ssaflow.IsBuiltin(call, "copy"):
		return is(common.Args[1:]...)
	case ssaflow.Computes(call), isCall && r.IsLook(call.(*ssa.Call)):
		return false
	}
	if callee := common.StaticCallee(); callee != nil {
		if knowledge.IsOperation(callee) || knowledge.IsCondWait(callee) {
			return is(common.Args...)
		}
		if effect, ok := ssaflow.AtomicEffect(call); ok && effect.Atomic {
			return is(common.Args[1:]...) || is(ssaflow.Indices(common.Args[0])...)
		}
	}
	return is(append(common.Args[:len(common.Args):len(common.Args)], common.Value)...)
}

// isClosed tells whether a branch has no effect but on values: its ways meet again
// before anything is done but computing, and place q is beyond.
func (r *Function) isClosed(branch *ssa.If, q ssaflow.Place) bool {
	region := ssaflow.Remember(r.Closed, branch, func() ssaflow.PlaceSet { return r.quietRegion(branch) })
	return region != nil && !region[q]
}

// maxMeets bounds the places where the ways of a branch are looked for to meet.
const maxMeets = 16

// blocksAfter returns the blocks that are executed after one, the nearest first: those where its
// ways may meet.
func blocksAfter(from *ssa.BasicBlock) []*ssa.BasicBlock {
	all := []*ssa.BasicBlock{from}
	for i := 0; i < min(len(all), maxMeets); i++ {
		for _, next := range all[i].Succs {
			if !slices.Contains(all, next) {
				all = append(all, next)
			}
		}
	}
	return all[1:min(len(all), maxMeets)]
}

// quietRegion returns what is executed between a branch and the first place where its
// ways meet, if that only computes; else nil.
func (r *Function) quietRegion(branch *ssa.If) ssaflow.PlaceSet {
	from := r.At[branch]
	for _, b := range blocksAfter(branch.Block()) {
		meet := r.At[b.Instrs[0]]
		region := ssaflow.Reach(from, r.Succs, func(p ssaflow.Place) bool { return p == meet })
		region[meet] = false
		if r.isQuiet(region, from) {
			return region
		}
	}
	return nil
}

// isQuiet tells whether the region only computes, and neither ends nor contains the
// branch itself.
func (r *Function) isQuiet(region ssaflow.PlaceSet, branch ssaflow.Place) bool {
	for p, in := range region {
		if !in {
			continue
		}
		if ssaflow.Place(p) == branch || r.touches[p] || len(r.Succs[p]) == 0 {
			return false
		}
		switch instr := r.Instrs[p].(type) {
		case *ssa.Jump, *ssa.If, *ssa.DebugRef:
		case *ssa.UnOp:
			if instr.Op == token.ARROW {
				return false
			}
		default:
			if !ssaflow.Computes(r.Instrs[p]) {
				return false
			}
		}
	}
	return true
}

// isSecondLook tells whether the instruction at p reads again what was read before
// place q.
func (r *Function) isSecondLook(l *Reads, p, read, q ssaflow.Place, inside ssaflow.PlaceSet) bool {
	if !r.IsLook(ssaflow.AsValue(r.Instrs[p])) {
		return false
	}
	for _, first := range r.Looks {
		at := r.At[first.(ssa.Instruction)]
		if at != read && !inside[at] && !r.StrictlyDominates(at, q) {
			continue
		}
		m := &mustalias.Matcher{Flow: r.Flow, Node: r.node, L: l.values, Q: q, Inside: inside}
		if m.SameLook(first, ssaflow.AsValue(r.Instrs[p])) || m.LooksInside(first, ssaflow.AsValue(r.Instrs[p])) {
			return true
		}
	}
	return false
}
