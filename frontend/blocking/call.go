package blocking

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// maxDepth bounds the activations on one stack.
const maxDepth = 40

// arguments returns what is known of the arguments of a call.
func (l *lowerer) arguments(a *activation, site ssa.CallInstruction) (all []value) {
	for _, v := range site.Common().Args {
		all = append(all, l.valueOf(a, v))
	}
	return all
}

// callee is what a call calls, with its arguments: the receiver is the first one.
type callee struct {
	fn       *ssa.Function
	bindings []value
	native   *native
	args     []value
}

// calleeOf finds out what a call calls.
func (l *lowerer) calleeOf(site ssa.CallInstruction, fn value, args []value) (c callee, ok bool) {
	common := site.Common()
	if common.IsInvoke() {
		switch v := fn.(type) {
		case boxed:
			method := l.prog.LookupMethod(v.dynamic, common.Method.Pkg(), common.Method.Name())
			if method == nil {
				return c, false
			}
			return callee{fn: method, args: append([]value{v.value}, args...)}, true
		case pointer: // a context
			return callee{native: &native{"context." + common.Method.Name(), v.to}, args: args}, true
		}
		return c, false
	}
	if f := common.StaticCallee(); f != nil {
		c := callee{fn: f, args: args}
		if made, ok := fn.(closure); ok {
			c.bindings = made.bindings
		}
		return c, true
	}
	switch v := fn.(type) {
	case closure:
		return callee{fn: v.fn, bindings: v.bindings, args: args}, true
	case native:
		return callee{native: &v, args: args}, true
	}
	return c, false
}

// call carries out a call; result is where its result goes, if it goes anywhere.
func (l *lowerer) call(s *state, site ssa.CallInstruction, fn value, args []value, result ssa.Value) effect {
	if b, ok := site.Common().Value.(*ssa.Builtin); ok {
		return l.builtin(s, site, b, args, result)
	}
	c, ok := l.calleeOf(site, fn, args)
	if !ok {
		return l.callUnknown(s, site, args, result)
	}
	return l.invoke(s, site, c, result)
}

// callUnknown calls what is not known: one of the few functions that it may be, if they are few.
func (l *lowerer) callUnknown(s *state, site ssa.CallInstruction, args []value, result ssa.Value) effect {
	call := site.Common()
	l.leavesOut(nil)
	if l.c.Local != nil {
		return l.callOutside(s, site, args, result)
	}
	isLeftOut := l.quiet.callsLeftOut(call)
	var methods []*ssa.Function
	isAny := !call.IsInvoke()
	switch {
	case isLeftOut:
	case call.IsInvoke():
		methods, isAny = l.quiet.maybeInvoked(call)
	default:
		if some := l.quiet.maybeCalled(call); len(some) > 0 {
			return l.callOne(s, site, some, args, result)
		}
	}
	if slices.ContainsFunc(methods, s.isRunning) { // it would go on and on
		methods, isAny = nil, true
	}
	e := effect{}
	if len(methods) > 0 {
		e = l.callOne(s, site, methods, append([]value{nil}, args...), result)
		s.top().guessed = true
	}
	for _, v := range args {
		l.spoil(s, v)
		l.doubt(s, v)
	}
	// or one of a type that the program does not have
	e.outcomes = append(e.outcomes, plain(s, result, nil).outcomes...)
	if isLeftOut {
		return e
	}
	l.guess(site, "what is called")
	if isAny && (l.c.IsRepeated == nil || !l.c.IsRepeated(site)) {
		l.doubtAll(site)
	}
	return e
}

// isRunning tells whether a function is on the stack.
func (s *state) isRunning(fn *ssa.Function) bool {
	return slices.ContainsFunc(s.stack, func(a *activation) bool { return a.fn == fn })
}

// callOne calls one of some functions; what those have captured that are literals is not known.
func (l *lowerer) callOne(s *state, site ssa.CallInstruction, some []*ssa.Function, args []value,
	result ssa.Value) effect {
	e := effect{branching: guessed, pos: l.position(site)}
	l.guesses[Guess{Pos: e.pos, What: "which function is called", IsBranch: true}] = true
	for _, fn := range some {
		t := s.clone()
		t.top().guessed = true
		e.outcomes = append(e.outcomes, l.invoke(t, site, callee{fn: fn, args: args}, result).outcomes...)
	}
	return e
}

// invoke carries out a call of what is known.
func (l *lowerer) invoke(s *state, site ssa.CallInstruction, c callee, result ssa.Value) effect {
	if c.native != nil {
		return l.callNative(s, site, c, result)
	}
	if l.c.Local != nil && !l.mayTouch(site, c) {
		l.leavesOut(c.fn)
		return plain(s, result, l.skip(c))
	}
	if e, ok := l.operation(s, site, c, result); ok {
		return e
	}
	if l.quiet.isLeftOut(c.fn) {
		l.leavesOut(c.fn)
		return plain(s, result, nil)
	}
	isFollowed := l.c.IsFollowed(c.fn) || isWrapper(c.fn) || callsBack[knowledge.PackagePath(c.fn)] && l.handsOver(s, c)
	if !isFollowed || len(c.fn.Blocks) == 0 {
		return l.leaveOut(s, site, c, result)
	}
	if len(s.stack) >= maxDepth {
		l.guess(site, "how deep "+c.fn.Name()+" calls itself")
		l.leavesOut(nil)
		l.doubtAll(site)
		return plain(s, result, nil)
	}
	l.exposeHanded(s, site, c)
	l.push(s, c, result)
	return effect{outcomes: []outcome{{state: s}}}
}

// push begins an activation.
func (l *lowerer) push(s *state, c callee, result ssa.Value) {
	a := &activation{fn: c.fn, name: l.nameOf(c.fn), block: c.fn.Blocks[0], regs: map[ssa.Value]value{}, result: result}
	for i, p := range c.fn.Params {
		if i < len(c.args) {
			a.regs[p] = c.args[i]
		}
	}
	for i, f := range c.fn.FreeVars {
		if i < len(c.bindings) {
			a.regs[f] = c.bindings[i]
		}
	}
	s.stack = append(s.stack, a)
}

// leaveOut is the effect of a function that is not followed: it may change what it is handed, and returns at some time.
func (l *lowerer) leaveOut(s *state, site ssa.CallInstruction, c callee, result ssa.Value) effect {
	if atLeastOne[knowledge.Name(c.fn)] {
		return plain(s, result, bounded{1, unbounded})
	}
	if !l.process.isTogether && l.mayUseVariables(s, c.args) {
		l.noteTogether()
	}
	if l.handsOver(s, c) {
		l.guess(site, "when "+c.fn.Name()+" calls what it is handed")
		for _, v := range c.args {
			l.doubt(s, v)
		}
		if l.mayUseVariables(s, c.args) {
			l.doubtAll(site)
		}
	} else {
		l.rewritesByCalling(s, site, c)
	}
	for i, v := range c.args {
		switch v := v.(type) {
		case pointer:
			if i < len(c.fn.Params) && !isReadOnly(c.fn) {
				l.spoil(s, v)
				l.doubt(s, v)
				l.handOut(v.to, c.fn.Params[i].Type())
			}
		case boxed:
			if !isReadOnly(c.fn) {
				l.spoil(s, v)
				l.doubt(s, v)
			}
		}
	}
	l.rewrites(s, site, c)
	return plain(s, result, nil)
}

// handOut notes that a function which is not followed has a channel, as that which sends signals to it: it may send to
// it and receive from it whenever it likes.
func (l *lowerer) handOut(o *object, t types.Type) {
	if _, isChannel := t.Underlying().(*types.Chan); isChannel && !l.known.handed[o] {
		l.known.handed[o], l.known.changed = true, true
	}
}

// builtin carries out a call of a built-in function.
func (l *lowerer) builtin(s *state, site ssa.CallInstruction, b *ssa.Builtin, args []value, result ssa.Value) effect {
	switch b.Name() {
	case "close":
		return l.closeChannel(s, site, args[0])
	case "len", "cap":
		switch v := args[0].(type) {
		case slice:
			if b.Name() == "len" && v.len >= 0 {
				return plain(s, result, integer(v.len))
			}
			if b.Name() == "len" && v.len == notEmpty {
				return plain(s, result, bounded{1, unbounded})
			}
		case bounded:
			switch {
			case b.Name() == "cap":
				if v.low < 1 {
					return plain(s, result, nil)
				}
				return plain(s, result, bounded{v.low, unbounded})
			case v.low == v.high:
				return plain(s, result, integer(v.low))
			}
			return plain(s, result, v)
		case nothing:
			return plain(s, result, integer(0))
		case number:
			if text, ok := stringOf(v); ok {
				return plain(s, result, integer(len(text)))
			}
		case pointer:
			if _, isChan := site.Common().Args[0].Type().Underlying().(*types.Chan); isChan {
				return plain(s, result, l.room(s, site, b.Name() == "len", v.to))
			}
			if _, isMap := site.Common().Args[0].Type().Underlying().(*types.Map); isMap {
				return plain(s, result, l.size(s, v))
			}
		}
	case "append":
		return l.append(s, site, args, result)
	case "delete":
		if args[0] == nil {
			l.changesAnywhere(s, site, site.Common().Args[0].Type(), nothing{})
		}
		removes := l.remove(s, args[0], args[1])
		return effect{outcomes: []outcome{{stmts: removes, state: s}}}
	case "max": // at least as much as the largest that is known
		low := 0
		for _, v := range args {
			if n, ok := asInt(v); ok {
				low = max(low, n)
			} else if b, ok := v.(bounded); ok {
				low = max(low, b.low)
			}
		}
		if low > 0 {
			return plain(s, result, bounded{low, unbounded})
		}
	case "recover": // no panic is followed
		l.guess(site, "what is left behind by a panic that is recovered here")
		return plain(s, result, nothing{})
	case "ssa:wrapnilchk":
		return plain(s, result, args[0])
	case "copy", "clear":
		if args[0] == nil {
			l.changesAnywhere(s, site, site.Common().Args[0].Type(), args[len(args)-1])
		}
		l.forget(s, args[0])
	}
	return plain(s, result, nil)
}

// append makes a new array, as far as the elements are known. That an array may be shared is not followed.
func (l *lowerer) append(s *state, site ssa.CallInstruction, args []value, result ssa.Value) effect {
	v, ok := result.(*ssa.Call)
	if !ok {
		return plain(s, result, nil)
	}
	t := v.Type().Underlying().(*types.Slice).Elem()
	parts := make([]slice, 0, 2)
	isKnown, size := true, bounded{0, 0}
	for _, arg := range args {
		size = size.plus(lengthOf(arg))
		switch x := arg.(type) {
		case slice:
			isKnown = isKnown && x.len >= 0 && !x.to.isMany
			parts = append(parts, x)
		case nothing:
		default:
			isKnown = false
		}
	}
	longer := plain(s, result, nil)
	if _, isBounded := args[0].(bounded); isBounded { // else each list that grows would be told apart by its length
		if size, ok := size.small(); ok {
			longer = plain(s, result, size)
		}
	}
	if !isKnown {
		return longer
	}
	all := []memory{{elements, l.quiet.prints.number(t)}}
	values := []value{} // first, as it may be its own array that is made again
	for _, p := range parts {
		for i := range p.len {
			at := element(p, integer(i)).(pointer)
			var x value
			if st, ok := t.Underlying().(*types.Struct); ok {
				x = l.loadStruct(s, at, st)
			} else if isOverwritten := l.quiet.overwritten.meets(all); !isOverwritten {
				if got := l.load(s, cell{at.to, at.path}, t, l.zeroAt(at, t), false); len(got) == 1 {
					x = got[0].value
				}
			}
			values = append(values, x)
		}
	}
	o := l.make(s, v, "slice")
	if o.isMany || len(values) > 64 || l.isGuessed(s) {
		return longer
	}
	var stmts []esl.Stmt
	for i, x := range values {
		l.storeAll(s, pointer{o, join("", "["+strconv.Itoa(i)+"]")}, t, x, true, &stmts)
	}
	s.set(result, slice{pointer{o, ""}, 0, len(values)})
	return effect{outcomes: []outcome{{stmts: stmts, state: s}}}
}

// goes starts a goroutine.
func (l *lowerer) goes(s *state, site ssa.CallInstruction, fn value, args []value) effect {
	if b, ok := site.Common().Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			one := s.clone()
			e := l.closeChannel(one, site, args[0])
			c := callee{native: &native{"close", l.object("go", "")}}
			return effect{outcomes: []outcome{{stmts: l.start(s, site, c, e.outcomes[0].stmts, nil), state: s}}}
		}
		return effect{outcomes: []outcome{{state: s}}}
	}
	c, ok := l.calleeOf(site, fn, args)
	if !ok {
		l.guess(site, "which function runs on the goroutine")
		l.leavesOut(nil)
		l.doubtAll(site)
		return effect{outcomes: []outcome{{state: s}}}
	}
	return effect{outcomes: []outcome{{stmts: l.start(s, site, c, nil, nil), state: s}}}
}

// start returns the statements that start a goroutine which runs a function, with what comes before and after that.
func (l *lowerer) start(s *state, site ssa.CallInstruction, c callee, before, after []esl.Stmt) []esl.Stmt {
	if c.native == nil && isOnce(c.fn) {
		l.guess(site, "when a goroutine of its own runs what runs once")
		l.doubtAll(site)
		return nil
	}
	isQuiet := c.native == nil && (!l.isCallable(c.fn) || l.quiet.isLeftOut(c.fn))
	if isQuiet && len(before)+len(after) == 0 {
		l.leavesOut(c.fn)
		return nil
	}
	if len(before)+len(after) == 0 {
		if stmts, ok := l.startApart(s, site, c); ok {
			return stmts
		}
	}
	count := "go " + l.siteKey(s, site)
	n := l.count(s, count)
	stmts := l.share(s)
	whole := c
	switch one := s.clone(); {
	case c.native != nil && c.native.name == "cancel":
		before = append(before, l.callNative(one, site, c, nil).outcomes[0].stmts...)
	case isQuiet:
		c = callee{native: &native{c.fn.Name(), l.object("go", "")}}
	case c.native == nil && isModelled(c.fn):
		if e, ok := l.operation(one, site, c, nil); ok && len(e.outcomes) == 1 {
			before, c = append(before, e.outcomes[0].stmts...), callee{native: &native{c.fn.Name(), l.object("go", "")}}
		}
	}
	var p *process
	if n < l.most(s) {
		p = l.processOf(s, site, fmt.Sprintf("%s %d", count, n), c, before, after)
	}
	if p == nil {
		if first, ok := l.runAtOnce(s, site, count, c, before, after); ok {
			return append(stmts, first...)
		}
		l.guess(site, "what happens when more goroutines are started here than are followed")
		if l.leaveGoroutine(s, whole) {
			return stmts
		}
		s.ended = true // what comes after so many goroutines is not looked at
		return append(stmts, esl.Stmt{Op: esl.Exit, Pos: l.position(site)})
	}
	s.noteStarted(p.index)
	l.alike[count] = append(l.alike[count], p.index)
	return append(stmts, esl.Stmt{Op: esl.Start, Arg: p.index, Pos: l.position(site)})
}

func (s *state) noteStarted(p int) {
	if !slices.Contains(s.started, p) {
		s.started = append(s.started, p)
		slices.Sort(s.started)
	}
}

// isCallable tells whether a call of a function does anything in the model.
func (l *lowerer) isCallable(fn *ssa.Function) bool {
	return isModelled(fn) || (l.c.IsFollowed(fn) || isWrapper(fn)) && len(fn.Blocks) > 0
}

// isWrapper tells whether a function is made by the compiler to call a method. Those of types of the standard library
// are as little followed as its other functions are, unless the model has what they call.
func isWrapper(fn *ssa.Function) bool {
	if !strings.Contains(fn.Synthetic, "wrapper") && !strings.HasPrefix(fn.Synthetic, "thunk") {
		return false
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return true
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return !isStandard(t) || slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			return ok && call.Common().StaticCallee() != nil && isModelled(call.Common().StaticCallee())
		})
	})
}

// siteKey names where a state is: the calls that have led there.
func (l *lowerer) siteKey(s *state, instr ssa.Instruction) string {
	key := ""
	for _, a := range s.stack[:len(s.stack)-1] {
		key += fmt.Sprintf("%s:%d.%d/", a.fn.Name(), a.block.Index, a.at-1)
	}
	b := instr.Block()
	return fmt.Sprintf("%s%s:%d.%d", key, l.nameOf(instr.Parent()), b.Index, l.live(instr.Parent()).indexOf(instr))
}

// count counts that something happens once more, as far as that is counted.
func (l *lowerer) count(s *state, key string) int {
	n := min(l.counted(s, key)+1, l.most(s))
	l.setCount(s, key, n)
	return n
}

// counted returns how often something has happened, as far as that is counted.
func (l *lowerer) counted(s *state, key string) int {
	n, _ := s.counts.at(l.known.countOf(key))
	return n
}

func (l *lowerer) setCount(s *state, key string, n int) {
	s.counts = s.counts.with(l.known.countOf(key), n)
}

// most is how far it is counted how often something happens: less far where a branch was a guess.
func (l *lowerer) most(s *state) int {
	if l.isGuessed(s) {
		return min(3, l.known.most)
	}
	return l.known.most
}

// isGuessed tells whether a branch was a guess on the way to a state, in a function that has not returned.
func (l *lowerer) isGuessed(s *state) bool {
	return slices.ContainsFunc(s.stack, func(a *activation) bool { return a.guessed })
}

// synchronises tells whether a function has operations that the model may have.
func (l *lowerer) synchronises(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen == nil {
		seen = map[*ssa.Function]bool{}
	}
	if seen[fn] {
		return false
	}
	seen[fn] = true
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send, *ssa.Select, *ssa.Go:
				return true
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					return true
				}
			case ssa.CallInstruction:
				if x.Common().IsInvoke() {
					continue
				}
				if b, ok := x.Common().Value.(*ssa.Builtin); ok && b.Name() == "close" {
					return true
				}
				if f := x.Common().StaticCallee(); f != nil && (isModelled(f) || l.c.IsFollowed(f) && l.synchronises(f, seen)) {
					return true
				}
			}
		}
	}
	return false
}
