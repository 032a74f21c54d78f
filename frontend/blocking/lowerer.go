package blocking

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/limit"
)

// lowerer is the state of one round of evaluation.
type lowerer struct {
	c     Config
	prog  *ssa.Program
	known *learned
	poll  *limit.Poll
	quiet *quiet

	processes         []*process
	byKey             map[string]*process
	isMerged          map[ssa.CallInstruction]bool // what starts several that are apart, and one is in the model
	apart             map[string]*process          // goroutines that are apart, by what they run
	process           *process                     // that is evaluated
	isCrowded         bool                         // there were more goroutines than a model may have
	hasMany           bool                         // a goroutine has more states than it may have
	places            map[string]string            // with which state goroutines are started, by where: see gather
	isTwice           bool                         // one is in several ways
	states            int
	accesses          map[cell]map[access]bool
	makers            map[*object]int // 1 + the process that has made an object
	guesses           map[Guess]bool
	doubts            doubts
	timers            map[*object]*timerUsers
	alike             map[string][]int   // the goroutines that are started at one place, by its key
	assumed           map[statement]bool // see noteReached
	mattering         map[ssa.Value]bool
	code              map[esl.Pos]*ssa.Function // see Model.Code
	branches          map[esl.Pos][]*ssa.If     // see Model.Branches
	nilUses           map[esl.Pos]bool          // see Model.NilUses
	lateReports       map[esl.Pos]bool          // see Model.LateReports
	closedUses        map[esl.Pos]bool          // see Model.ClosedUses
	lists             map[esl.Pos]ssa.Value     // see Model.Lists
	looks             map[esl.Pos]Lines         // see Model.Looks
	skips, skipsJoins bool                      // see Model.Skips
	lives             map[*ssa.Function]*liveness
	counts            map[*ssa.Function][]ssa.Value // see isCountedTo
	fresh             map[*ssa.Store]bool

	synchronising map[types.Type]bool // see hasSynchronising

	locks      index[cell]
	conditions index[cell]
	groups     index[cell]
	variables  index[cell]
	channels   index[*object]
	kinds      []esl.LockKind
	values     []int // of the variables that stand for no memory: how many; else 0
}

// index numbers things in the order in which they come.
type index[T comparable] struct {
	number map[T]int
	all    []T
}

func (x *index[T]) of(t T) (n int, isNew bool) {
	if n, ok := x.number[t]; ok {
		return n, false
	}
	if x.number == nil {
		x.number = map[T]int{}
	}
	x.number[t] = len(x.all)
	x.all = append(x.all, t)
	return len(x.all) - 1, true
}

// process is a goroutine of the model.
type process struct {
	index  int
	key    string
	name   string
	pos    esl.Pos
	parent int // the process that starts it; -1: none
	client bool
	begin  *state
	site   ssa.CallInstruction // where; nil: nowhere
	before []esl.Stmt
	after  []esl.Stmt
	nodes  []*node
	// what starts it, and what it runs, if it is apart; and that it or what it starts uses package variables
	apartAt    ssa.CallInstruction
	apart      *ssa.Function
	isTogether bool
}

func newLowerer(ctx context.Context, c Config, k *learned) *lowerer {
	if k.objects == nil {
		k.objects = map[string]*object{}
	}
	return &lowerer{c: c, known: k, prog: c.Roots[0].Prog, poll: limit.NewPoll(ctx), byKey: map[string]*process{},
		isMerged: map[ssa.CallInstruction]bool{}, apart: map[string]*process{}, places: map[string]string{},
		accesses: map[cell]map[access]bool{},
		makers:   map[*object]int{}, guesses: map[Guess]bool{}, assumed: map[statement]bool{},
		timers: map[*object]*timerUsers{}, alike: map[string][]int{},
		doubts: doubts{typed: map[typedDoubt]bool{}, objects: map[*object]bool{}, some: map[objectDoubt]bool{},
			operands: map[operandDoubt]bool{},
			groups:   map[int]bool{}},
		mattering: map[ssa.Value]bool{}, code: map[esl.Pos]*ssa.Function{},
		lives: map[*ssa.Function]*liveness{}, branches: map[esl.Pos][]*ssa.If{},
		counts:  map[*ssa.Function][]ssa.Value{},
		nilUses: map[esl.Pos]bool{}, lateReports: map[esl.Pos]bool{},
		closedUses: map[esl.Pos]bool{}, lists: map[esl.Pos]ssa.Value{},
		looks: map[esl.Pos]Lines{}, fresh: map[*ssa.Store]bool{},
		synchronising: map[types.Type]bool{}}
}

// run evaluates all goroutines.
func (l *lowerer) run() error {
	first := newState()
	for i := len(l.c.Roots) - 1; i >= 0; i-- {
		if len(l.c.Roots[i].Blocks) > 0 {
			l.push(first, callee{fn: l.c.Roots[i]}, nil)
		}
	}
	name := "main"
	if l.c.Local != nil { // the program goes on when the call has returned
		first.stack[0].after, name = []esl.Stmt{{Op: esl.Select}}, "call"
	}
	l.addProcess(&process{key: "main", name: name, parent: -1, begin: first})
	for i := 0; i < len(l.processes); i++ {
		l.process = l.processes[i]
		if err := l.build(l.process); err != nil || l.isInVain() {
			return err
		}
	}
	return nil
}

// isInVain tells whether the round is to begin again with fewer things told apart.
func (l *lowerer) isInVain() bool {
	return l.hasMany || l.isCrowded && (l.known.most > fewest || l.canGather())
}

// closureOf makes the value that a function is, with what it has captured.
func (l *lowerer) closureOf(fn *ssa.Function, bindings []value) closure {
	return closure{fn, l.nameOf(fn), bindings}
}

// box puts a value into an interface.
func (l *lowerer) box(dynamic types.Type, v value) boxed {
	return boxed{dynamic, ssaflow.Remember(l.known.typeNames, dynamic, dynamic.String), v}
}

func (l *lowerer) nameOf(fn *ssa.Function) string {
	return ssaflow.Remember(l.known.names, fn, fn.String)
}

func (l *lowerer) addProcess(p *process) {
	p.index = len(l.processes)
	l.processes = append(l.processes, p)
	l.byKey[p.key] = p
}

// processOf returns the goroutine that runs a function with what is known of its arguments and of the memory that
// they lead to; nil if there are too many goroutines.
func (l *lowerer) processOf(s *state, site ssa.CallInstruction, key string, c callee,
	before, after []esl.Stmt) *process {
	begin := newState()
	begin.store, begin.lasting = s.store, s.lasting
	name := "function"
	if c.native != nil {
		name = c.native.name
	} else {
		name = c.fn.Name()
		l.push(begin, c, nil)
		l.collect(begin)
	}
	led := newReach()
	for _, x := range begin.store.all {
		led.add(x.at.of)
	}
	for _, v := range slices.Concat(c.args, c.bindings) {
		each(v, led.add)
	}
	l.escape(s, led)
	full := fmt.Sprintf("%s/%s %s %v %v", l.process.key, key, c.place(), before, after)
	isLess := false
	if l.known.isGathered {
		begin, isLess = l.gather(full, begin)
	} else {
		full += l.apartBy(full, begin)
	}
	p := l.byKey[full]
	switch {
	case p != nil && !isLess:
		return p
	case p != nil && p.index <= l.process.index: // it has been evaluated
		l.known.changed = true
		return p
	case p == nil && len(l.processes) >= maxProcesses:
		l.isCrowded = true
		return nil
	}
	if len(begin.stack) > 0 {
		begin.top().after = after
	}
	if p != nil {
		p.begin = begin
		return p
	}
	p = &process{key: full, name: name, pos: l.position(site), parent: l.process.index, site: site, begin: begin,
		before: before, after: after}
	p.client = len(begin.stack) > 0 && l.c.IsClient != nil && l.process.parent < 0 && l.c.IsClient(begin.top().fn)
	l.addProcess(p)
	return p
}

// guess notes that something is not known.
func (l *lowerer) guess(at ssa.Instruction, what string) {
	l.guesses[Guess{Pos: l.position(at), What: what}] = true
}

// position returns where an instruction is.
func (l *lowerer) position(at ssa.Instruction) esl.Pos {
	pos := l.c.Position(at)
	if fn := at.Parent(); fn != nil {
		l.code[pos] = fn
	}
	return pos
}

// positionOf returns where a branch is: at what it depends on.
func (l *lowerer) positionOf(x *ssa.If) esl.Pos {
	if at, ok := x.Cond.(ssa.Instruction); ok && x.Cond.Pos().IsValid() {
		return l.position(at)
	}
	for _, b := range []*ssa.BasicBlock{x.Block(), x.Block().Succs[0]} { // a loop over a range has its body only
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			if instr := b.Instrs[i]; instr.Pos().IsValid() {
				return l.position(instr)
			}
		}
	}
	return l.position(x)
}

// object returns the object with a key.
func (l *lowerer) object(key, name string) *object {
	o := l.known.objects[key]
	if o == nil {
		n := len(l.known.objects)
		o = &object{key: key, id: strconv.Itoa(n), number: uint32(n), name: name}
		l.known.objects[key] = o
	}
	return o
}

// make returns the object that an instruction makes, its memory zero: one that nothing leads to any more, or the next
// one. What other goroutines may know is not used again.
func (l *lowerer) make(s *state, at ssa.Instruction, name string) *object {
	return l.makeKind(s, at, name, "")
}

// makeKind makes one of several kinds of objects that an instruction makes.
func (l *lowerer) makeKind(s *state, at ssa.Instruction, name, kind string) *object {
	key := fmt.Sprintf("%s by %d %s %s ", l.siteKey(s, at), l.process.index, l.process.name, kind)
	most := l.most(s)
	var reached *reach
	var o *object
	isNew := false
	n := 0
	for o == nil || n < most {
		n++
		if key := key + strconv.Itoa(n); n < most {
			o = l.object(key, name)
		} else {
			o = l.object(key+" and more", name)
		}
		if l.counted(s, o.key) > 0 {
			continue
		}
		if isNew = !s.made.has(uint64(o.number)) && !l.known.escaped[o]; isNew { // nothing can lead to it
			break
		}
		if reached == nil {
			reached = l.reached(s)
		}
		if !reached.has(o) {
			break
		}
	}
	if l.known.escaped[o] {
		l.setCount(s, o.key, 1)
	}
	o.pos, o.made = l.position(at), at
	o.isMany = n == most
	l.makers[o] = l.process.index + 1
	if !isNew {
		l.clearObject(s, o)
	}
	s.made = s.made.with(uint64(o.number), o)
	return o
}

// escapes notes that other goroutines may know of what a value leads to.
func (l *lowerer) escapes(s *state, v value) {
	led := newReach()
	each(v, led.add)
	l.escape(s, led)
}

// escape notes that other goroutines may know of some objects, and of what those lead to.
func (l *lowerer) escape(s *state, led *reach) {
	for o := led.next(); o != nil; o = led.next() {
		if !l.known.escaped[o] {
			l.known.escaped[o] = true
			l.known.changed = true
		}
		led.addStored(s, o)
	}
}

func (l *lowerer) makeAt(s *state, site ssa.CallInstruction, name string) *object {
	if v, ok := site.(*ssa.Call); ok {
		if n := nameFor(v); n != "" {
			name = n
		}
	}
	return l.make(s, site, name)
}

// global returns the object that a package variable is.
func (l *lowerer) global(g *ssa.Global) *object {
	o := l.object("global "+g.String(), g.Name())
	o.isForeign = l.c.Local != nil || !l.c.IsFollowed(g.Pkg.Func("init")) || l.c.IsUnknown != nil && l.c.IsUnknown(g)
	o.isGlobal = !o.isForeign
	o.pos = l.c.PositionOf(g.Pos())
	return o
}

// allocName is the name of what an instruction allocates.
func allocName(x *ssa.Alloc) string {
	switch x.Comment {
	case "complit", "new", "slicelit", "makeslice", "varargs", "":
		if name := nameFor(x); name != "" {
			return name
		}
		if named, ok := x.Type().Underlying().(*types.Pointer).Elem().(*types.Named); ok {
			return named.Obj().Name()
		}
	}
	return x.Comment
}

// nameFor returns the variable that a value is assigned to, as far as that is evident.
func nameFor(v ssa.Value) string {
	if v.Referrers() == nil {
		return ""
	}
	for _, r := range *v.Referrers() {
		switch x := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Store:
			if x.Val != v {
				continue
			}
			switch to := x.Addr.(type) {
			case *ssa.Alloc:
				return to.Comment
			case *ssa.FieldAddr:
				return fieldName(to.X.Type(), to.Field)
			case *ssa.Global:
				return to.Name()
			}
		case *ssa.MakeClosure:
			for i, b := range x.Bindings {
				if b == v {
					return x.Fn.(*ssa.Function).FreeVars[i].Name()
				}
			}
		case ssa.CallInstruction:
			for i, arg := range x.Common().Args {
				if f := x.Common().StaticCallee(); f != nil && arg == v && i < len(f.Params) {
					return f.Params[i].Name()
				}
			}
		case *ssa.Extract, *ssa.MakeInterface, *ssa.ChangeType:
			if n := nameFor(x.(ssa.Value)); n != "" {
				return n
			}
		}
	}
	return ""
}

func (l *lowerer) lockIndex(c cell, kind esl.LockKind) int {
	n, isNew := l.locks.of(c)
	if isNew {
		l.kinds = append(l.kinds, kind)
	}
	return n
}

func (l *lowerer) conditionIndex(c cell) int { n, _ := l.conditions.of(c); return n }
func (l *lowerer) groupIndex(c cell) int     { n, _ := l.groups.of(c); return n }
func (l *lowerer) channelIndex(o *object) int {
	n, _ := l.channels.of(o)
	return n
}

// variableIndex returns the variable that stands for shared memory.
func (l *lowerer) variableIndex(c cell) int { return l.newVariable(c, 0) }

// newVariable returns the variable for a cell, with so many values.
func (l *lowerer) newVariable(c cell, values int) int {
	n, isNew := l.variables.of(c)
	if isNew {
		l.values = append(l.values, values)
	}
	return n
}

// isFresh tells whether nobody else can have the object that is stored to: see ssaflow.FindFresh.
func (l *lowerer) isFresh(x *ssa.Store) bool {
	is, ok := l.fresh[x]
	if !ok {
		ssaflow.FindFresh(x.Block(), l.fresh)
		is = l.fresh[x]
	}
	return is
}

// live returns the liveness of a function.
func (l *lowerer) live(fn *ssa.Function) *liveness {
	v := l.lives[fn]
	if v == nil {
		v = newLiveness(fn)
		l.lives[fn] = v
	}
	return v
}

// order returns the registers of an activation of which something is known and that may still be used, in a fixed
// order, and drops the others.
func (l *lowerer) order(a *activation) []ssa.Value {
	if a.known == nil {
		n := len(a.regs)
		a.known = l.live(a.fn).ordered(a.regs, a.block, a.at)
		if n > 2*len(a.regs) { // a map does not become smaller by itself
			regs := make(map[ssa.Value]value, len(a.regs))
			maps.Copy(regs, a.regs)
			a.regs = regs
		}
	}
	return a.known
}

// atomicType returns the type of the memory that an atomic operation is on.
func atomicType(fn *ssa.Function, result ssa.Value) types.Type {
	sig := fn.Signature
	name := fn.Name()
	switch {
	case strings.HasPrefix(name, "Store"):
		return sig.Params().At(sig.Params().Len() - 1).Type()
	case strings.HasPrefix(name, "CompareAndSwap"):
		return sig.Params().At(sig.Params().Len() - 1).Type()
	case sig.Results().Len() == 1:
		return sig.Results().At(0).Type()
	}
	return nil
}
