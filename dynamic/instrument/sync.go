package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// syncMethod is a method of a synchronisation object that has a hook in its place.
type syncMethod struct{ hook, kind string }

// The hooks that stand in the place of methods of package sync, and what these are to a
// reader. A lock with readers has hooks of its own where the method of the other has the
// same name.
var (
	lockHooks = map[knowledge.LockOp]syncMethod{
		knowledge.Lock:    {"Lock", "lock"},
		knowledge.Unlock:  {"Unlock", "unlock"},
		knowledge.TryLock: {"TryLock", "trylock"},
	}
	sharedHooks = map[knowledge.LockOp]syncMethod{
		knowledge.Lock:     {"WLock", "lock"},
		knowledge.Unlock:   {"WUnlock", "unlock"},
		knowledge.RLock:    {"RLock", "rlock"},
		knowledge.RUnlock:  {"RUnlock", "runlock"},
		knowledge.TryLock:  {"TryWLock", "trylock"},
		knowledge.TryRLock: {"TryRLock", "trylock"},
	}
	groupHooks = map[knowledge.WaitGroupOp]syncMethod{
		knowledge.Add:  {"Add", "add"},
		knowledge.Done: {"Done", "done"},
		knowledge.Wait: {"Wait", "wait"},
		knowledge.Go:   {"GoGroup", "go"},
	}
	condHooks = map[knowledge.CondOp]syncMethod{
		knowledge.CondWait:  {"CondWait", "wait"},
		knowledge.Signal:    {"Signal", "signal"},
		knowledge.Broadcast: {"Broadcast", "broadcast"},
	}
)

// methodHook returns the hook of a method of package sync, none if it has none.
func methodHook(fn *types.Func) (m syncMethod, ok bool) {
	if !knowledge.Synchronises(fn) {
		return m, false
	}
	row := knowledge.OfObject(fn)
	switch {
	case row.Lock != knowledge.NoLock && row.Shared:
		m, ok = sharedHooks[row.Lock]
	case row.Lock != knowledge.NoLock:
		m, ok = lockHooks[row.Lock]
	case row.Group != knowledge.NoGroup:
		m, ok = groupHooks[row.Group]
	case row.Cond != knowledge.NoCond:
		m, ok = condHooks[row.Cond]
	case row.Once:
		return syncMethod{"Once", "once"}, true
	}
	return m, ok
}

// call rewrites calls that synchronise or access.
func (f *file) call(n *ast.CallExpr) (string, bool) {
	if f.scope == nil {
		return "", false
	}
	if f.full && f.info.Types[n].Value != nil {
		return f.raw(n), true // as len of an array: it evaluates nothing
	}
	if _, isUnsafe := ast.Unparen(n.Fun).(*ast.SelectorExpr); isUnsafe && f.isBuiltin(n.Fun) {
		return f.raw(n), true // it may want a selector
	}
	f.markHandedOver(n)
	if text, ok := f.sharedCall(n); ok {
		return text, true
	}
	if s, ok := n.Fun.(*ast.SelectorExpr); ok {
		if selection := f.info.Selections[s]; selection != nil && selection.Kind() == types.MethodVal {
			if text, ok := f.syncCall(n, s, selection); ok {
				return text, true
			}
			if text, ok := f.atomicMethod(n, s, selection); ok {
				return text, true
			}
			if text, ok := f.parallel(n, s, selection); ok {
				return text, true
			}
		}
	}
	if called := f.calledFunction(n); called.Atomic != knowledge.NoAtomic {
		if text, ok := f.atomicFunction(n, called.Atomic); ok {
			return text, true
		}
	} else if pause := f.pauseOf(called.Time); pause != "" {
		arguments := []string{f.raw(n.Fun)} // names it, so that its package is still used
		for _, a := range n.Args {
			arguments = append(arguments, f.render(a))
		}
		return f.hook(pause, arguments...), true
	}
	f.handCall(n)
	if text, ok := f.timer(n); ok {
		return text, true
	}
	if text, ok := f.libraryMethod(n); ok {
		return text, true
	}
	if text, ok := f.inspected(n); ok {
		return text, true
	}
	if text, ok := f.listCall(n); ok {
		return text, true
	}
	return f.builtin(n)
}

// pauses are the hooks of functions that let others run; clocks of those that tell the
// time.
var (
	pauses = map[knowledge.TimeOp]string{knowledge.Sleep: "Sleep", knowledge.Yield: "Yield"}
	clocks = map[knowledge.TimeOp]string{knowledge.Now: "Now", knowledge.Since: "Since", knowledge.Until: "Until"}
)

// pauseOf returns the hook of such a function, "" if it is none. Only a run that is steered has a
// clock of its own.
func (f *file) pauseOf(op knowledge.TimeOp) string {
	if hook := clocks[op]; hook != "" && f.steered && f.scope != nil {
		return hook
	}
	return pauses[op]
}

// calledFunction is what is known of the function of a package that is called.
func (f *file) calledFunction(n *ast.CallExpr) *knowledge.Function {
	fun := ast.Unparen(n.Fun)
	if i, ok := fun.(*ast.IndexExpr); ok {
		fun = i.X
	}
	if s, ok := fun.(*ast.SelectorExpr); ok {
		if fn, ok := f.info.Uses[s.Sel].(*types.Func); ok && f.info.Selections[s] == nil {
			return knowledge.OfObject(fn)
		}
	}
	return new(knowledge.Function)
}

// syncCall rewrites a method call on a synchronisation object.
func (f *file) syncCall(n *ast.CallExpr, s *ast.SelectorExpr, selection *types.Selection) (string, bool) {
	m, ok := hookOf(selection.Obj())
	if !ok {
		return "", false
	}
	recv, ok := f.receiverAddress(s, selection)
	if !ok {
		f.leave(n, "the lock has no address")
		return "", false
	}
	if condition, ok := f.scope.last[n]; ok && len(f.scope.units) > 0 && unlocksLast[m.hook] {
		frames := fmt.Sprint(len(f.scope.units))
		if condition != nil {
			frames = hookName + ".If(" + f.raw(condition) + ", " + frames + ")"
		}
		return f.method(m.hook+"Last", f.syncSite(s.X, m.kind, n.Lparen), recv, frames), true
	}
	text := strings.TrimSuffix(f.method(f.chosen(m.hook), f.syncSite(s.X, m.kind, n.Lparen), recv), ")")
	at := n.Lparen + 1
	for i, a := range n.Args {
		if i == 0 {
			text += ", "
		}
		text += f.text(at, a.Pos()) + f.render(a)
		at = a.End()
	}
	return text + f.text(at, n.End()), true
}

// hookOf returns the hook that stands in the place of a method.
func hookOf(o types.Object) (syncMethod, bool) {
	fn, ok := o.(*types.Func)
	if !ok {
		return syncMethod{}, false
	}
	m, ok := methodHook(fn)
	if !ok && isLocker(fn) {
		switch fn.Name() {
		case "Lock":
			return syncMethod{"LockerLock", "lock"}, true
		case "Unlock":
			return syncMethod{"LockerUnlock", "unlock"}, true
		}
	}
	return m, ok
}

// isLocker tells whether a method belongs to an interface with Lock and Unlock.
func isLocker(fn *types.Func) bool {
	recv := fn.Type().(*types.Signature).Recv()
	if recv == nil || !types.IsInterface(recv.Type()) {
		return false
	}
	set := types.NewMethodSet(recv.Type())
	for _, name := range []string{"Lock", "Unlock"} {
		m := set.Lookup(nil, name)
		if m == nil {
			return false
		}
		signature := m.Obj().Type().(*types.Signature)
		if signature.Params().Len() != 0 || signature.Results().Len() != 0 {
			return false
		}
	}
	return true
}

// receiverAddress is the text of the receiver of a method with a pointer receiver, or of an
// interface.
func (f *file) receiverAddress(s *ast.SelectorExpr, selection *types.Selection) (string, bool) {
	t := f.info.TypeOf(s.X)
	text := ""
	addressable := isPointer(t) || f.canAddress(s.X)
	if isPointer(t) || types.IsInterface(t) || !addressable {
		text = f.render(s.X)
	} else {
		text = f.address(s.X)
	}
	for _, i := range selection.Index()[:len(selection.Index())-1] {
		structure := structOf(t)
		if structure == nil {
			return "", false
		}
		v := structure.Field(i)
		text += "." + v.Name()
		t = v.Type()
		addressable = addressable || isPointer(t)
	}
	if isPointer(t) || types.IsInterface(t) {
		return text, true
	}
	return "&" + text, addressable
}

// builtin rewrites close, and what changes the contents of a field.
func (f *file) builtin(n *ast.CallExpr) (string, bool) {
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok {
		return "", false
	}
	if _, ok := f.info.Uses[id].(*types.Builtin); !ok || len(n.Args) == 0 {
		return "", false
	}
	switch id.Name {
	case "close":
		return f.hook("Close", f.syncSite(n.Args[0], "close", n.Lparen), f.render(n.Args[0])), true
	case "delete", "clear", "copy":
		if text, ok := f.contentsOf(n, id.Name); ok {
			return text, true
		}
		t := f.contents(n.Args[0])
		if !t.isWatched() {
			return "", false
		}
		t.at = n.Lparen
		return f.text(n.Pos(), n.Args[0].Pos()) + f.throughSlice(n.Args[0], t) + f.rest(n), true
	case "append":
		// The header is read and, by the assignment around it, written.
		return f.appended(n)
	case "new":
		if f.info.Types[n.Args[0]].IsType() {
			return f.made("Made", f.raw(n), f.info.TypeOf(n.Args[0]))
		}
	case "make":
		text := f.text(n.Pos(), n.Args[0].End()) + f.rest(n)
		if t := elements(f.info.TypeOf(n)); t != nil {
			if made, ok := f.made("MadeSlice", text, t); ok {
				return made, true
			}
		}
		return text, true
	}
	return "", false
}

// rest is the text of a call from behind its first argument on.
func (f *file) rest(n *ast.CallExpr) string {
	var b strings.Builder
	at := n.Args[0].End()
	for _, a := range n.Args[1:] {
		b.WriteString(f.text(at, a.Pos()))
		b.WriteString(f.render(a))
		at = a.End()
	}
	b.WriteString(f.text(at, n.End()))
	return b.String()
}

// contents finds the field that an argument whose contents are changed comes from.
func (f *file) contents(e ast.Expr) target {
	inner := ast.Unparen(e)
	if s, ok := inner.(*ast.SliceExpr); ok {
		inner = s.X
	}
	t := f.target(inner)
	t.e, t.inside, t.whole, t.reached = e, true, nil, nil
	return t
}

func (f *file) throughSlice(e ast.Expr, t target) string {
	if s, ok := ast.Unparen(e).(*ast.SliceExpr); ok {
		var b strings.Builder
		b.WriteString(f.behindOf(s.X, t, true))
		at := s.X.End()
		for _, i := range []ast.Expr{s.Low, s.High, s.Max} {
			if i != nil {
				b.WriteString(f.text(at, i.Pos()) + f.render(i))
				at = i.End()
			}
		}
		return b.String() + f.text(at, s.End())
	}
	return f.behindOf(e, t, true)
}

// atomicOp is an operation of package sync/atomic as a trace has it.
func atomicOp(op knowledge.AtomicOp) (trace.Op, string) {
	switch op {
	case knowledge.NoAtomic:
		return 0, ""
	case knowledge.AtomicLoad:
		return trace.AtomicRead, "read"
	case knowledge.AtomicStore:
		return trace.AtomicWrite, "write"
	}
	return trace.RMW, "rmw"
}

// atomicFunction rewrites atomic.AddInt64(&x.f, 1).
func (f *file) atomicFunction(n *ast.CallExpr, known knowledge.AtomicOp) (string, bool) {
	op, kind := atomicOp(known)
	if op == 0 || len(n.Args) == 0 {
		return "", false
	}
	on := ast.Unparen(n.Args[0])
	if u, ok := on.(*ast.UnaryExpr); ok && u.Op == token.AND {
		on = u.X
	} else if !f.full || !isPointer(f.info.TypeOf(on)) {
		return "", false
	}
	hits := f.atomicHits(on, n)
	if len(hits) == 0 {
		return "", false
	}
	c := atomicCall{call: n, known: known, op: op, kind: kind, on: on, hits: hits, at: n.Lparen, operands: n.Args}
	if text, ok := f.exactly(c); ok {
		return text, true
	}
	return f.text(n.Pos(), n.Args[0].Pos()) + f.atomic(op, kind, on, hits, n.Lparen) + f.rest(n), true
}

// atomicMethod rewrites x.f.Add(1) for an f of a type of sync/atomic.
func (f *file) atomicMethod(n *ast.CallExpr, s *ast.SelectorExpr, selection *types.Selection) (string, bool) {
	fn := selection.Obj().(*types.Func)
	known := knowledge.OfObject(fn).Atomic
	op, kind := atomicOp(known)
	if op == 0 || len(selection.Index()) != 1 || isPointer(f.info.TypeOf(s.X)) && !f.full {
		return "", false
	}
	hits := f.atomicHits(s.X, n)
	if len(hits) == 0 {
		return "", false
	}
	if !isAtomicValue(fn) { // its methods may panic
		c := atomicCall{call: n, known: known, op: op, kind: kind, on: s.X, hits: hits, at: n.Lparen, operands: n.Args}
		c.isMethod = true
		if text, ok := f.exactly(c); ok {
			return text, true
		}
	}
	var b strings.Builder
	b.WriteString(f.atomic(op, kind, s.X, hits, n.Lparen))
	at := s.X.End()
	for _, a := range n.Args {
		b.WriteString(f.text(at, a.Pos()))
		b.WriteString(f.render(a))
		at = a.End()
	}
	b.WriteString(f.text(at, n.End()))
	return b.String(), true
}

// isAtomicValue tells whether a method is one of atomic.Value.
func isAtomicValue(method *types.Func) bool {
	p, ok := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && named.Obj().Name() == "Value"
}

// atomicHits returns what a call of package sync/atomic accesses: a variable that an operand names or does not name,
// or, in a program that is recorded in full, an element, or what a pointer leads to.
func (f *file) atomicHits(e ast.Expr, n *ast.CallExpr) []hit {
	if f.full && f.scope != nil && isPointer(f.info.TypeOf(e)) {
		return f.memoryHit(e, "0")
	}
	all := f.hits(e)
	if _, isElement := ast.Unparen(e).(*ast.IndexExpr); isElement && f.canAddress(e) {
		all = append(all, f.elementHits(e)...)
	}
	for _, k := range f.unseenAt(n.Lparen) {
		if f.canAddress(e) {
			all = append(all, hit{class: k.class, field: k.field, reached: true})
		}
	}
	return all
}

// atomicAddress is the text of the address of what is accessed atomically, which e names or points to.
func (f *file) atomicAddress(e ast.Expr) string {
	if isPointer(f.info.TypeOf(e)) {
		return f.render(e)
	}
	return "&" + f.address(e)
}

// atomic is the text of the address of a field that is accessed atomically.
func (f *file) atomic(op trace.Op, kind string, e ast.Expr, hits []hit, at token.Pos) string {
	address := f.atomicAddress(e)
	for _, h := range hits {
		name := "Atomic"
		if h.isVar {
			name = "AtomicVariable"
		}
		address = f.hook(name, fmt.Sprint(uint8(op)), address, f.ref(h, kind, at))
	}
	return address
}

// send rewrites ch <- v.
func (f *file) send(n *ast.SendStmt) (string, bool) {
	if f.scope == nil {
		return "", false
	}
	to := f.hook("To", f.syncSite(n.Chan, "send", n.Arrow), f.render(n.Chan))
	return to + "." + f.chosen("Send") + "(" + f.render(n.Value) + ")", true
}

// selectStmt rewrites a select: what it may send is recorded before it chooses, what it has chosen at the
// beginning of the case.
func (f *file) selectStmt(outer ast.Stmt, n *ast.SelectStmt) string {
	var b strings.Builder
	hook := "Select"
	if slices.ContainsFunc(n.Body.List, func(s ast.Stmt) bool { return s.(*ast.CommClause).Comm == nil }) {
		hook = "Poll"
	}
	b.WriteString(f.method(hook, f.syncSite(n.Body, "select", n.Select)) + "; ")
	b.WriteString(f.text(outer.Pos(), n.Body.Lbrace+1))
	at := n.Body.Lbrace + 1
	offers := slices.ContainsFunc(n.Body.List, func(s ast.Stmt) bool {
		_, ok := s.(*ast.CommClause).Comm.(*ast.SendStmt)
		return ok
	})
	for _, s := range n.Body.List {
		c := s.(*ast.CommClause)
		b.WriteString(f.text(at, c.Pos()))
		text := f.comm(c, offers, hook == "Poll")
		if c.Comm == nil {
			text = text[:c.Colon+1-c.Pos()] + f.looks(n) + text[c.Colon+1-c.Pos():]
		}
		b.WriteString(text)
		at = c.End()
	}
	b.WriteString(f.text(at, n.End()))
	return b.String()
}

// comm rewrites a case of a select, of which offers tells whether it may send, and polls whether it has a default.
func (f *file) comm(c *ast.CommClause, offers, polls bool) string {
	var b strings.Builder
	first := ""
	at := c.Pos()
	switch s := c.Comm.(type) {
	case nil:
	case *ast.SendStmt:
		kind := "send"
		if polls {
			kind = trace.TrySend
		}
		site := f.syncSite(s.Chan, kind, s.Arrow)
		b.WriteString(f.text(at, s.Pos()) + f.offer(s, site))
		at = s.End()
		first, offers = " "+f.method("Chose", site)+";", false
		if f.full && f.isPure(s.Chan) {
			first = " " + f.hook("ChoseToMeet", site, f.raw(s.Chan)) + ";"
		} else if f.full {
			f.leave(s, "a select sends on a channel that is no variable; make it one")
		}
	case *ast.ExprStmt:
		u := ast.Unparen(s.X).(*ast.UnaryExpr)
		b.WriteString(f.text(at, u.X.Pos()) + f.render(u.X))
		at = u.X.End()
		first = f.received(u)
	case *ast.AssignStmt:
		u := ast.Unparen(s.Rhs[0]).(*ast.UnaryExpr)
		b.WriteString(f.text(at, s.Pos()))
		at = s.Pos()
		for _, e := range s.Lhs {
			if s.Tok == token.DEFINE {
				break
			}
			b.WriteString(f.text(at, e.Pos()))
			if t := f.target(e); t.isWatched() {
				b.WriteString(f.write(t))
			} else {
				b.WriteString(f.operand(t))
			}
			at = e.End()
		}
		b.WriteString(f.text(at, u.X.Pos()) + f.render(u.X))
		at = u.X.End()
		first = f.received(u)
	}
	b.WriteString(f.text(at, c.Colon+1))
	if offers {
		b.WriteString(" " + f.method("Chose", "0") + ";")
	}
	b.WriteString(first)
	at = c.Colon + 1
	for _, s := range c.Body {
		b.WriteString(f.text(at, s.Pos()))
		b.WriteString(f.render(s))
		at = s.End()
	}
	b.WriteString(f.text(at, c.End()))
	return b.String()
}

// offer rewrites the send of a case so that it is recorded last, before the select chooses.
func (f *file) offer(s *ast.SendStmt, site string) string {
	between, value := f.text(s.Chan.End(), s.Value.Pos()), f.render(s.Value)
	if !f.isPure(s.Chan) {
		return f.hook(f.chosen("Offering"), site, f.render(s.Chan)) + between + value
	}
	return f.render(s.Chan) + between + f.hook("To", site, f.raw(s.Chan)) + "." + f.chosen("Offer") + "(" + value + ")"
}

// received records that the receive of a case was chosen.
func (f *file) received(u *ast.UnaryExpr) string {
	if !f.isRepeatable(u.X) {
		if f.full && !f.isOwnTimer(u.X) {
			f.leave(u, "a select receives from a channel that is no variable; make it one")
		}
		return ""
	}
	return " " + f.hook("Received", f.syncSite(u.X, "recv", u.OpPos), f.raw(u.X)) + ";"
}
