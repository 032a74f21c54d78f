package harness

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// What a library tells its clients not to do at the same time is not asked: it would be the caller's mistake. It says
// so in the comment on the type, on what makes the object, or on a method. Package io says it of its interfaces:
// clients should not assume that they are safe for parallel execution, unless otherwise informed. So what clients
// have as one of these only, of a hidden type, is for one client, beside the goroutines of the library, unless a
// comment informs them.

// contract is what clients do one after the other.
type contract struct {
	object  bool     // whatever they do with the object
	methods []string // else these, sorted
	says    string   // who says so
}

var (
	// several matches the words for doing things at the same time.
	several = `(concurren\w*|parallel|simultaneous\w*|at the same time|` +
		`(multiple|several|different|many|more than one) (goroutine|thread)s?|goroutines|threads)`
	informs = regexp.MustCompile(`(?i)` + several + `|(goroutine|thread)[- ]?safe`)
	forbids = regexp.MustCompile(`(?i)\b(not|never|cannot|isn't|aren't|can't|mustn't|shouldn't)\b[^.;]{0,40}` +
		`\b(safe|call|called|use|used|invoked?|shared|access(ed)?)\b[^.;]{0,60}\b` + several +
		`|\b(not|isn't|aren't) (goroutine|thread)[- ]?safe|\bunsafe for (concurrent|parallel)`)
	// except matches what says only with which other call one may not be made.
	except = regexp.MustCompile(`(?i)` + several + ` with\b`)
	clause = regexp.MustCompile(`[.;]\s`)
)

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
			switch named := namesIn(text, operations); {
			case !forbids.MatchString(text):
			case except.MatchString(text):
			case len(named) > 0:
				c.methods, c.says = append(c.methods, named...), "the comment on "+of.Name()
			default:
				return contract{object: true, says: "the comment on " + of.Name()}
			}
		}
	}
	for _, o := range operations {
		if o.fn != nil && slices.ContainsFunc(w.clauses(o.fn), func(text string) bool {
			return forbids.MatchString(text) && !except.MatchString(text)
		}) {
			c.methods, c.says = append(c.methods, o.name), "the comment on "+o.name
		}
	}
	slices.Sort(c.methods)
	c.methods = slices.Compact(c.methods)
	if len(c.methods) == 0 && !isInformed && w.isStream(makers) {
		return contract{object: true, says: "package io"}
	}
	return c
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

// informs tells whether the comment on a declaration says that goroutines may do something at the same time.
func (w *clientWriter) informs(of types.Object) bool {
	return slices.ContainsFunc(w.clauses(of), func(text string) bool {
		return informs.MatchString(text) && !forbids.MatchString(text)
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

// limit says what is left out; "" where nothing is.
func (c contract) limit() string {
	switch {
	case c.object:
		return "clients use it one after the other, beside the goroutines of the library: " + c.says +
			" says so (--type asks about several)"
	case len(c.methods) > 0:
		return "clients call " + strings.Join(c.methods, ", ") + " one after the other: " + c.says +
			" says so (--type asks about several)"
	}
	return ""
}
