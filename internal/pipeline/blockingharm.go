package pipeline

import (
	"cmp"
	"go/ast"
	"go/doc"
	"go/types"
	"iter"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	stuck "github.com/empire-go/empire-go/checker/blocking"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/blocking"
	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/local"
)

// harmOf tells what a finding about blocking comes to. It is none of the library's errors where it only happens as a
// method was called whose documentation rules out what came then; it is possible where the run takes no branch whose
// condition is not known; in a call whose arguments are not known, also if the conditions have nothing to do with each
// other: see related. That it was seen is for runs of the program to say.
func harmOf(m *blocking.Model, c *local.Call, f stuck.Finding) *Harm {
	if text := misuse(m, f); text != "" {
		return &Harm{Status: HarmNone, Reason: text}
	}
	empty := ""
	if c != nil {
		empty = startsNobody(m, f)
	}
	switch guesses := guessedOn(m, f); {
	case f.Class == stuck.Livelock:
		return &Harm{Status: HarmUnknown, Reason: "each of them may get on in any round; they go round as long as they " +
			"keep coming at the same time"}
	case c != nil && isLeftByCommand(c, f):
		return &Harm{Status: HarmUnknown, Reason: "the program may end with the call, and with it who waits"}
	case len(guesses) == 0:
		return &Harm{Status: HarmPossible}
	case empty != "":
		return &Harm{Status: HarmUnknown, Reason: "only if a loop that would start goroutines does not run, as for an " +
			"empty list: at " + empty}
	case c != nil:
		return &Harm{Status: HarmPossible, Reason: "if the branches on the way go so, each for a reason of its own: at " +
			strings.Join(guesses, ", ")}
	default:
		return &Harm{Status: HarmUnknown, Reason: "the run takes a branch without knowing its condition at " +
			strings.Join(guesses, ", ")}
	}
}

// isLeftByCommand tells whether only goroutines wait that a call of a function of a main package has left behind.
func isLeftByCommand(c *local.Call, f stuck.Finding) bool {
	isCaller := func(w stuck.Wait) bool { return w.Process == 0 }
	pkg := knowledge.Outermost(c.Function).Pkg
	return pkg != nil && pkg.Pkg.Name() == "main" && f.Class != stuck.OrderViolation &&
		!slices.ContainsFunc(f.Waits, isCaller) && !slices.ContainsFunc(f.Also, isCaller)
}

// startsNobody returns a loop that would start goroutines, of which it is not known how often it runs, and that a run
// leaves without any: whether anybody calls with an empty list, or asks for no workers, is not known.
func startsNobody(m *blocking.Model, f stuck.Finding) (at string) {
	type loop struct {
		begin *ssa.BasicBlock
		who   esl.Instance
	}
	isEntered := map[loop]bool{}
	for b := range branchesOn(m, f) {
		if b.If == nil {
			continue
		}
		inside := local.EntersLoop(b.If)
		if inside < 0 {
			continue
		}
		own := loop{b.Block().Succs[inside], b.by}
		isEntered[own] = isEntered[own] || inside == b.way
		if !isEntered[own] && local.StartsInLoop(own.begin) {
			return b.at.String()
		}
	}
	return ""
}

// guessedOn returns where a run takes branches whose conditions are not known.
func guessedOn(m *blocking.Model, f stuck.Finding) (guesses []string) {
	for _, pos := range choicesOn(m, f) {
		if at := pos.String(); m.IsGuessed(pos) && !slices.Contains(guesses, at) {
			guesses = append(guesses, at)
		}
	}
	return guesses
}

// choicesOn returns the choices that a run makes, and where, but for those that decide nothing.
func choicesOn(m *blocking.Model, f stuck.Finding) iter.Seq2[esl.Step, esl.Pos] {
	return func(yield func(esl.Step, esl.Pos) bool) {
		for _, step := range f.Steps {
			body := m.Program.Functions[step.Function].Body
			if step.Index == len(body) || body[step.Index].Op != esl.Choice || body[step.Index].Pos == (esl.Pos{}) ||
				m.IsIdle != nil && m.IsIdle(step.Function, step.Index) {
				continue
			}
			if !yield(step, body[step.Index].Pos) {
				return
			}
		}
	}
}

// taken is a branch that a run takes: which one of its ways, by number, and where. Or it is how long a list is.
type taken struct {
	*ssa.If
	list ssa.Value // of which the length is guessed, in the place of a branch
	by   esl.Instance
	way  int
	at   esl.Pos
}

// branchesOn returns the branches of the program that a run takes by choicesOn.
func branchesOn(m *blocking.Model, f stuck.Finding) iter.Seq[taken] {
	return func(yield func(taken) bool) {
		for step, at := range choicesOn(m, f) {
			way := slices.Index(m.Program.Functions[step.Function].Body[step.Index].Targets, step.Target)
			for _, branch := range m.Branches[at] {
				if !yield(taken{branch, nil, step.Instance, way, at}) {
					return
				}
			}
			if list := m.Lists[at]; list != nil && !yield(taken{nil, list, step.Instance, way, at}) {
				return
			}
		}
	}
}

// byHarm sorts findings: what was seen or is possible first, what only happens after misuse last.
func byHarm(a, b BlockingFinding) int {
	rank := func(f BlockingFinding) int {
		return slices.Index([]string{HarmSeen, HarmPossible, HarmUnknown, HarmNone}, f.Harm.Status)
	}
	return cmp.Compare(rank(a), rank(b))
}

// The words of a sentence that rules calls out.
var (
	prohibits = regexp.MustCompile(`(?i)\b(must not|must never|may not|should not|cannot|can not|do not|not allowed|` +
		`not be (called|used)|never be|undefined|panics?|illegal|invalid|no longer)\b`)
	repeats = regexp.MustCompile(`(?i)\b(twice|again|more than once|multiple times|only once|already)\b`)
	afters  = regexp.MustCompile(`(?i)\b(after|once|already|again)\b`)
)

// misuse tells which documented rule a run of clients breaks before the goroutines of a finding come to where they
// wait, or end the program: "" if none.
func misuse(m *blocking.Model, f stuck.Finding) string {
	if len(m.Clients) == 0 {
		return ""
	}
	var called []*ssa.Function // exported methods, in the order in which they come to something in the model
	for _, step := range f.Steps {
		body := m.Program.Functions[step.Function].Body
		if step.Index == len(body) {
			continue
		}
		if fn := exportedMethod(m.Code[body[step.Index].Pos]); fn != nil && !slices.Contains(called, fn) {
			called = append(called, fn)
		}
	}
	for _, w := range f.Waits {
		for _, stmt := range w.At {
			if last := exportedMethod(m.Code[stmt.Pos]); last != nil {
				for _, before := range called {
					if text := ruledOut(before, last); text != "" {
						return text
					}
				}
			}
		}
	}
	return ""
}

// exportedMethod returns the exported method that code is in; nil if it is in none.
func exportedMethod(fn *ssa.Function) *ssa.Function {
	for fn != nil && fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn == nil || fn.Signature.Recv() == nil || !ast.IsExported(fn.Name()) {
		return nil
	}
	return fn
}

// ruledOut returns why a method must not be called after another one of its type, as the documentation of one of
// them says; "" if it does not.
func ruledOut(before, last *ssa.Function) string {
	if !types.Identical(before.Signature.Recv().Type(), last.Signature.Recv().Type()) {
		return ""
	}
	named := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(before.Name()) + `(d|ed|s|ing)?\b`)
	for _, fn := range []*ssa.Function{before, last} {
		for _, sentence := range sentences(docOf(fn)) {
			isRule := prohibits.MatchString(sentence)
			switch {
			case before == last && isRule && repeats.MatchString(sentence),
				before != last && isRule && afters.MatchString(sentence) && (fn == before || named.MatchString(sentence)):
				return "it happens only after misuse: " + last.Name() + " is called after " + before.Name() +
					", and the documentation of " + fn.Name() + " says: " + sentence
			}
		}
	}
	return ""
}

func docOf(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if decl, ok := fn.Syntax().(*ast.FuncDecl); ok {
		return decl.Doc.Text()
	}
	return ""
}

// sentences splits a comment.
func sentences(text string) (all []string) {
	text = strings.Join(strings.Fields(text), " ")
	for text != "" {
		first := new(doc.Package).Synopsis(text)
		if first == "" || !strings.HasPrefix(text, first) {
			return append(all, text)
		}
		all = append(all, first)
		text = strings.TrimSpace(text[len(first):])
	}
	return all
}
