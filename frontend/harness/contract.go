package harness

import (
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// What a library tells its clients not to do at the same time is not asked: it would be the caller's mistake. It says
// so in the comment on the type, on what makes the object, on a method, or on that of an interface which it implements.
// Package io says it of its interfaces: clients should not assume that they are safe for parallel execution, unless
// otherwise informed. So what clients have as one of these only, of a hidden type, is for one client, beside the
// goroutines of the library, and what reads a stream and takes no lock is for one at a time, unless a comment informs
// them.

// Turn says which goroutines do something.
type Turn int

// The turns.
const (
	Anyone  Turn = iota
	One          // one goroutine at a time, see contract
	Another      // likewise, maybe beside the one: of two who put in and take out
	Apart        // nobody uses the object at the same time
)

// IsApartFrom tells whether who does something in one turn keeps it apart from what is done in another one.
func (t Turn) IsApartFrom(other Turn) bool {
	return t == Apart || other == Apart || t == other && t != Anyone
}

// contract is what clients do not do at the same time.
type contract struct {
	object bool            // nothing that they do with the object
	turns  map[string]Turn // of operations, by their names
	says   map[Turn]string // who says so
}

// turnOf returns the turn of an operation.
func (c contract) turnOf(name string) Turn {
	if c.object {
		return One
	}
	return c.turns[name]
}

// set notes the turn of an operation, and who says so. The one that leaves clients the least stays.
func (c *contract) set(name string, t Turn, says string) {
	if c.turns == nil {
		c.turns, c.says = map[string]Turn{}, map[Turn]string{}
	}
	if t > c.turns[name] {
		c.turns[name], c.says[t] = t, says
	}
}

var (
	// several matches the words for doing things at the same time.
	several = `(concurren\w*|parallel|simultaneous\w*|at the same time|` +
		`(multiple|several|different|many|more than one) (goroutine|thread)s?|goroutines|threads)`
	informs = regexp.MustCompile(`(?i)` + several + `|(goroutine|thread)[- ]?safe`)
	// saysUnsafe matches what says that nothing goes on beside it.
	saysUnsafe = regexp.MustCompile(`(?i)\b(not|isn't|aren't) (goroutine|thread)[- ]?safe|` +
		`\bunsafe for (concurrent|parallel)`)
	// saysNotSafe matches what says so of a method, unless it says with which other one.
	saysNotSafe = regexp.MustCompile(`(?i)\b(not|isn't|aren't) safe for (concurrent|parallel)`)
	// saysWhile matches what says so of what goes on.
	saysWhile = regexp.MustCompile(`(?i)\b(must not|mustn't|should not|shouldn't|may not|cannot|can't|never) be ` +
		`(called|used|invoked|set|modified|changed)\b[^.;]{0,20}\bwhile\b`)
	// saysOne matches what says that one goroutine does it.
	saysOne = regexp.MustCompile(`(?i)\b(must|should|(may|can) only|only be|expected|meant|intended|methods are)\b` +
		`[^.;]{0,30}` +
		`\b(call|called|use|used|invoked|accessed|run|owned)\b[^.;]{0,20}` +
		`\b(by|from|in|on|within) (only |at most |exactly )?(a single|one|the same) (goroutine|thread)\b|` +
		`\bonly (a single|one) (goroutine|thread) (at a time )?(can|may|must|should)\b`)
	forbids = regexp.MustCompile(saysUnsafe.String() + `|` +
		`\b(not|never|cannot|isn't|aren't|can't|mustn't|shouldn't)\b[^.;]{0,40}` +
		`\b(safe|call|called|use|used|invoked?|shared|access(ed)?)\b[^.;]{0,60}\b` + several)
	// except matches what says only with which other call one may not be made, what another goroutine may do, or why
	// something is not locked.
	except = regexp.MustCompile(`(?i)` + several + ` with\b|\b(while|but|and) (another|a second|one other)\b|` +
		`\bbecause\b`)
	// saysTests matches what says that something is there for tests.
	saysTests = regexp.MustCompile(`(?i)\b(only|used|useful|meant|intended|exported|exposed|exists?|is|are|be)\b` +
		`[^.;]{0,15}` +
		`\b(for|in|by|within|from) (unit |the )?(tests?|testing)( only| code| purposes)?( only)?\s*($|[.,;:)])`)
	// saysInit matches what says that something is done while packages are initialised: before all others.
	saysInit = regexp.MustCompile(`(?i)\b(in|from|by|during|within) (an? |the |its |your |their )?` +
		`(package('s)? )?init(\b|\(\)|iali[sz]ation\b)`)
	saysLater = regexp.MustCompile(`(?i)\b(any ?time|later|afterwards|after|also)\b`)
	saysSafe  = regexp.MustCompile(`(?i)\bsafe\b`)
	clause    = regexp.MustCompile(`[.;]\s`)

	oneProducer = regexp.MustCompile(`(?i)\bsingle-producer|\bSPSC\b|\bSPMC\b`)
	oneConsumer = regexp.MustCompile(`(?i)\bsingle-consumer|\bSPSC\b|\bMPSC\b`)
)

// isForbidden tells whether a clause tells clients not to do something at the same time.
func isForbidden(text string) bool {
	return saysUnsafe.MatchString(text) || (forbids.MatchString(text) || isOnlyForOne(text)) && !except.MatchString(text)
}

// isForTests tells whether its comment says that a function is there for tests, which arrange who calls it when.
func (w *clientWriter) isForTests(fn *types.Func) bool {
	return slices.ContainsFunc(w.clauses(fn), saysTests.MatchString)
}

// isForInit tells whether its comment says that a function is called while packages are initialised.
func (w *clientWriter) isForInit(fn *types.Func) bool {
	return fn.Signature().Recv() == nil && slices.ContainsFunc(w.clauses(fn), func(text string) bool {
		return saysInit.MatchString(text) && !saysLater.MatchString(text)
	})
}

// isOnlyForOne tells whether a clause says that one goroutine does something, and not how the library sees to it.
func isOnlyForOne(text string) bool { return saysOne.MatchString(text) && !saysSafe.MatchString(text) }

// contractOf returns what the comments say of the object.
func (w *clientWriter) contractOf(makers []maker, operations []operation) contract {
	if w.named == nil {
		return contract{}
	}
	var c contract
	isInformed := false
	for _, of := range w.about(makers) {
		isInformed = isInformed || w.informs(of)
		for _, text := range w.clauses(of) {
			c.giveRoles(text, of.Name(), operations)
			if !isForbidden(text) {
				continue
			}
			named := namesIn(text, operations)
			if len(named) == 0 {
				return contract{object: true, says: map[Turn]string{One: commentOn(of.Name())}}
			}
			for _, name := range named {
				c.set(name, One, commentOn(of.Name()))
			}
		}
	}
	for _, o := range operations {
		for _, of := range w.aboutMethod(o) {
			for _, text := range w.clauses(of) {
				switch {
				case saysUnsafe.MatchString(text) || saysWhile.MatchString(text) ||
					saysNotSafe.MatchString(text) && !except.MatchString(text):
					c.set(o.name, Apart, commentOn(o.name))
				case isForbidden(text):
					c.set(o.name, One, commentOn(o.name))
				}
			}
		}
	}
	if len(c.turns) == 0 && !isInformed && w.isStream(makers) {
		return contract{object: true, says: map[Turn]string{One: packageIO}}
	}
	for _, o := range operations {
		if !isInformed && w.isBareRead(o) {
			c.set(o.name, One, packageIO)
		}
	}
	return c
}

// packageIO says of its interfaces that they are not for several goroutines, unless one is told otherwise.
const packageIO = "package io"

func commentOn(name string) string { return "the comment on " + name }

// isBareRead tells whether an operation is that of io.Reader, and takes no lock: one goroutine reads a stream.
func (w *clientWriter) isBareRead(o operation) bool {
	if o.fn == nil || o.receiver == nil || o.name != "Read" {
		return false
	}
	body := w.program.FuncValue(o.fn.Origin())
	return body != nil && !mayTakeLock(body, false, map[*ssa.Function]bool{}) && types.Identical(o.sig, readOf())
}

// readOf returns the signature of Read of io.Reader.
func readOf() *types.Signature {
	parameter := types.NewParam(token.NoPos, nil, "", types.NewSlice(types.Typ[types.Byte]))
	results := types.NewTuple(types.NewParam(token.NoPos, nil, "", types.Typ[types.Int]),
		types.NewParam(token.NoPos, nil, "", types.Universe.Lookup("error").Type()))
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(parameter), results, false)
}

// giveRoles notes that one goroutine puts something in, or that one takes it out, if the clause says so.
func (c *contract) giveRoles(text, by string, operations []operation) {
	puts, takes := oneProducer.MatchString(text), oneConsumer.MatchString(text)
	if !puts && !takes {
		return
	}
	for _, o := range operations {
		for _, other := range operations {
			switch {
			case puts && isPair(o, other):
				c.set(o.name, One, commentOn(by))
			case takes && isPair(other, o):
				c.set(o.name, Another, commentOn(by))
			}
		}
	}
}

// isPair tells whether one operation puts in what the other one takes out: it is handed what the other one, which is
// handed nothing but contexts, returns, or a slice of that, and returns at most whether it has.
func isPair(put, take operation) bool {
	if put.sig == nil || take.sig == nil || !isTold(put.sig) {
		return false
	}
	for v := range take.sig.Params().Variables() {
		if !knowledge.IsContext(v.Type()) {
			return false
		}
	}
	for in := range put.sig.Params().Variables() {
		for out := range take.sig.Results().Variables() {
			if !isStatus(out.Type()) && types.Identical(withoutSlice(in.Type()), withoutSlice(out.Type())) {
				return true
			}
		}
	}
	return false
}

// isGeneric tells whether a type needs type arguments.
func isGeneric(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.TypeParams().Len() > named.TypeArgs().Len()
}

// isTold tells whether a function returns only whether it has done its work.
func isTold(s *types.Signature) bool {
	for v := range s.Results().Variables() {
		if !isStatus(v.Type()) {
			return false
		}
	}
	return true
}

// isStatus tells whether values of a type say whether something was done.
func isStatus(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0 || types.Identical(t, types.Universe.Lookup("error").Type())
}

// withoutSlice returns the type of the elements of a slice, and any other type itself.
func withoutSlice(t types.Type) types.Type {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// about returns the declarations whose comments may say how goroutines use the object: its type, and what makes it.
func (w *clientWriter) about(makers []maker) (all []types.Object) {
	if w.named == nil {
		return nil
	}
	all = append(all, w.named.Obj())
	for _, m := range makers {
		if m.fn != nil {
			all = append(all, m.fn)
		}
	}
	return all
}

// aboutMethod returns the declarations whose comments may say how goroutines use a method: its own one, and those of
// the interfaces of the packages that the type implements.
func (w *clientWriter) aboutMethod(o operation) (all []types.Object) {
	if o.fn == nil {
		return nil
	}
	all = append(all, o.fn)
	if o.receiver == nil {
		return all
	}
	for _, i := range w.implemented() {
		if m, _, _ := types.LookupFieldOrMethod(i, false, nil, o.name); m != nil {
			all = append(all, m)
		}
	}
	return all
}

// implemented returns the interfaces of the packages that the type of the object implements. They are found once.
func (w *clientWriter) implemented() []types.Type {
	if w.interfaces != nil {
		return w.interfaces
	}
	w.interfaces = []types.Type{}
	for _, pkg := range w.packages {
		for _, o := range declaredIn(w.loaded, pkg).objects {
			declared, ok := o.(*types.TypeName)
			if !ok || isGeneric(declared.Type()) {
				continue
			}
			i, ok := declared.Type().Underlying().(*types.Interface)
			if ok && i.NumMethods() > 0 && i.IsMethodSet() && types.Implements(types.NewPointer(w.object), i) {
				w.interfaces = append(w.interfaces, declared.Type())
			}
		}
	}
	return w.interfaces
}

// informs tells whether the comment on a declaration says that goroutines may do something at the same time.
func (w *clientWriter) informs(of types.Object) bool {
	return slices.ContainsFunc(w.clauses(of), func(text string) bool {
		return informs.MatchString(text) && !forbids.MatchString(text) && !isOnlyForOne(text)
	})
}

// clauses returns what the comment on a declaration says, in parts of which each says one thing.
func (w *clientWriter) clauses(of types.Object) []string {
	text := strings.Join(strings.Fields(w.loaded.Comment(of.Pos())), " ")
	return clause.Split(text, -1)
}

// namesIn returns the operations that a text names.
func namesIn(text string, operations []operation) (names []string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,()[]`'\".:;*", r) })
	for _, o := range operations {
		if o.fn != nil && slices.Contains(words, o.name) {
			names = append(names, o.name)
		}
	}
	return names
}

// isStream tells whether clients have the object as an interface of package io only: its type is hidden.
func (w *clientWriter) isStream(makers []maker) bool {
	return !w.named.Obj().Exported() &&
		!slices.ContainsFunc(makers, func(m maker) bool { return m.fn == nil || !w.makesStream(m) })
}

func (w *clientWriter) makesStream(m maker) bool {
	s := m.fn.Signature()
	at := w.madeResult(m.fn, s)
	if at < 0 {
		return false
	}
	named, ok := types.Unalias(s.Results().At(at).Type()).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "io"
}

// limits says what is left out.
func (c contract) limits() (all []string) {
	const further = " says so (--type asks about several)"
	if c.object {
		return append(all, "clients use it one after the other, beside the goroutines of the library: "+c.says[One]+further)
	}
	const inTurns = "one after the other"
	how := map[Turn]string{One: inTurns, Another: inTurns, Apart: "before others use the object"}
	for _, t := range []Turn{One, Another, Apart} {
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(c.turns)), func(name string) bool { return c.turns[name] != t })
		if len(names) > 0 {
			all = append(all, "clients call "+strings.Join(names, ", ")+" "+how[t]+": "+c.says[t]+further)
		}
	}
	return all
}
