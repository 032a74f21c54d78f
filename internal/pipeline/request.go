package pipeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/scenarios"
)

// Request says what is to be checked. The zero value of a field means its
// default, which Normalize fills in.
type Request struct {
	Dir      string   // directory in which the packages are looked up; default "."
	Packages []string // package patterns of the go command; default "."
	Tests    bool     // load the packages' tests too
	Tags     string   // build tags, separated by commas

	Type   string   // the type: "Vector", "pkg.Vector" or with the full path; default: all that Candidates finds
	Fields []string // the atomic set; default: each group that Candidates finds for the Type
	Vars   []string // an atomic set of package variables, instead of Type and Fields
	Site   string   // the allocation site, "file.go:line[:col]" or "pkg.Var"; default: each site of Type

	Scenarios []scenarios.Scenario // with only the patterns asked for; default: scenarios.Table

	// Classes asks about these classes of scenarios.Classes in the place of atomic sets: see scenarios.ClassNames.
	Classes []string

	// Blocking asks beside atomic sets whether goroutines can be blocked for ever, and whether an operation can end the
	// program: of calls of functions, see package local, of programs and of clients. What is not known of that changes no
	// verdict.
	Blocking bool

	Units     string   // which code is a unit of work: "auto" (default), "exported" or "annotated"
	UnitFuncs []string // the functions that are units, instead of those by Units
	UnitFor   string   // which parameters join the atomic set: "auto" (default), "all", "none" or "annotated"
	Strict    bool     // by the letter: every read counts, and notes count as violations

	Copies       int  // goroutines modelled for a go statement that can run more than once; default 2
	Clients      int  // goroutines that call a package without a main function; default 2
	ClientFields bool // those clients also touch exported fields
	// Concurrent names further functions that run a callback on another goroutine,
	// and which argument it is: "example.com/p.Pool.Submit#1". See knowledge.NewTable.
	Concurrent []string
	// What is taken for granted of types, besides what empire.yaml says: groups of
	// goroutines, locks, and functions that make arguments of types for clients.
	Joins     []load.Join
	LockTypes []load.LockType
	Make      map[string]string

	Locks string // locks that may be many objects: "sound" (default) drops them, "empire" merges them

	Engine  string        // "refine" (default) or "prefix"
	Timeout time.Duration // for each query, on the clock; default: none, as the work is limited
	// Budget is the work for all queries together, as the time that it takes on a quiet machine. The default is
	// DefaultBudget for each package of which something is asked, of five at most; with a Timeout, or where each query
	// is answered by itself, NoBudget.
	Budget  time.Duration
	Memory  int64 // in bytes, for each query; default DefaultMemory
	Harm    bool  // look for the harm of each violation, see ScenarioResult.Harm
	All     bool  // look for all violations, see QueryResult.All
	Timings bool  // measure: makes two results of one request differ

	// Answers keeps what is found out for the next time, if it is not nil. What it has is not asked again.
	Answers *answers.Store `json:"-"`

	// Observe is told what goes on while the request is carried out, by one goroutine at a time, if
	// it is not nil.
	Observe func(Event) `json:"-"`

	checksProofs  func(u, v string, disproved bool) // for tests: of each pair of units that a run shows harm of
	checksRaces   func(certain int)                 // for tests: of each query without a data race, how many are certain
	defaultBudget bool                              // nothing is said of the budget
	coarseWaits   bool                              // for tests: see blocking.Config.IsCoarse
	outlines      bool                              // for tests: small programs have outlines, too
}

// Event is one thing that goes on: one of its fields says what.
type Event struct {
	Begin   *Result         // the first one: the tool and what was asked for, without an answer
	Phase   *Phase          // something begins
	Answer  *QueryResult    // a query has been answered; it may turn out to be a repetition of another one
	Blocked *BlockingResult // what was asked about blocking has been answered, for a program or a call
}

// Phase is what begins, in words. Of what there is more than one of, Done of Total are done.
type Phase struct {
	What        string
	Done, Total int
}

// begins tells the observer what begins.
func (r *Request) begins(what string, done, total int) {
	if r.Observe != nil {
		r.Observe(Event{Phase: &Phase{what, done, total}})
	}
}

// answered adds an answer to the result, and tells the observer.
func (r *Request) answered(result *Result, q QueryResult) {
	result.Queries = append(result.Queries, q)
	r.tell(q)
}

// tell tells the observer of an answer.
func (r *Request) tell(q QueryResult) {
	if r.Observe != nil {
		r.Observe(Event{Answer: &q})
	}
}

// blocked adds an answer about blocking to the result, and tells the observer.
func (r *Request) blocked(result *Result, b BlockingResult) {
	result.Blocking = append(result.Blocking, b)
	if r.Observe != nil {
		r.Observe(Event{Blocked: &b})
	}
}

// The defaults of a Request.
const (
	DefaultCopies  = 2
	DefaultClients = 2
	DefaultTimeout = 60 * time.Second
	DefaultMemory  = 4 << 30
)

// MaxCopies bounds Copies and Clients: the model grows exponentially with them.
const MaxCopies = 16

// InputError is a request that cannot be carried out because of what was asked:
// exit status 2 of the command.
type InputError struct {
	What string // what is wrong, as "--type" or a position
	Why  string // why, and what to write instead
}

// Error returns "what: why".
func (e *InputError) Error() string { return e.What + ": " + e.Why }

// NothingError is the InputError of a request that names no set, where there is none.
type NothingError struct{ *InputError }

// Unwrap returns the InputError.
func (e *NothingError) Unwrap() error { return e.InputError }

// inputErrorf is short for an InputError with a formatted Why.
func inputErrorf(what, format string, args ...any) error {
	return &InputError{what, fmt.Sprintf(format, args...)}
}

// namesNothing tells whether the request leaves it to the tool what is asked.
func (r *Request) namesNothing() bool {
	return r.Type == "" && len(r.Fields)+len(r.Vars) == 0 && r.Site == ""
}

// Normalize fills in the defaults and checks every value that can be checked
// without looking at the code. Its error is an *InputError.
func (r *Request) Normalize() error {
	r.fillDefaults()
	for _, check := range []func() error{r.checkSubject, r.checkChoices, r.checkNumbers, r.checkScenarios,
		r.checkClasses} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (r *Request) fillDefaults() {
	setDefault(&r.Dir, ".")
	setDefault(&r.Units, "auto")
	setDefault(&r.UnitFor, "auto")
	setDefault(&r.Locks, "sound")
	setDefault(&r.Engine, "refine")
	setDefault(&r.Copies, DefaultCopies)
	setDefault(&r.Clients, DefaultClients)
	if r.Timeout != 0 {
		setDefault(&r.Budget, NoBudget)
	}
	r.defaultBudget = r.defaultBudget || r.Budget == 0
	setDefault(&r.Budget, DefaultBudget)
	setDefault(&r.Memory, DefaultMemory)
	if len(r.Packages) == 0 {
		r.Packages = []string{"."}
	}
	if len(r.Scenarios) == 0 {
		r.Scenarios = slices.Clone(scenarios.Table)
	}
}

func setDefault[T comparable](value *T, def T) {
	var zero T
	if *value == zero {
		*value = def
	}
}

// checkSubject checks the flags that say what is checked.
func (r *Request) checkSubject() error {
	switch {
	case len(r.Vars) > 0 && r.Type != "":
		return inputErrorf("--vars", "cannot be combined with --type; write one of them")
	case len(r.Vars) > 0 && len(r.Fields) > 0:
		return inputErrorf("--vars", "cannot be combined with --fields; write --type with --fields, or --vars alone")
	case len(r.Vars) > 0 && r.Site != "":
		return inputErrorf("--site", "package variables have no allocation site; leave it out with --vars")
	case len(r.Fields) > 0 && r.Type == "":
		return inputErrorf("--fields", "needs the type that has the fields; write --type T as well")
	case r.Site != "" && r.Type == "":
		return inputErrorf("--site", "needs the type that is allocated there; write --type T as well")
	}
	if err := checkNames("--fields", "a,b", r.Fields); err != nil {
		return err
	}
	if err := checkNames("--unit", "--unit Run or --unit '(*T).Run'", r.UnitFuncs); err != nil {
		return err
	}
	if err := checkNames("--vars", "pkg.a,pkg.b", r.Vars); err != nil {
		return err
	}
	if _, err := knowledge.NewTable(r.Concurrent); err != nil {
		return inputErrorf("concurrent", "%s", err)
	}
	if slices.Contains(r.Packages, "") {
		return inputErrorf("package", "empty name; write a pattern such as ./... or a path")
	}
	return nil
}

// checkNames rejects empty names and names given twice.
func checkNames(what, example string, names []string) error {
	for i, name := range names {
		if strings.TrimSpace(name) == "" {
			return inputErrorf(what, "empty name; write it as %s", example)
		}
		if slices.Contains(names[:i], name) {
			return inputErrorf(what, "%q is given twice; leave one out", name)
		}
	}
	return nil
}

// checkChoices checks the flags with a fixed set of values.
func (r *Request) checkChoices() error {
	for _, c := range []struct {
		flag, value string
		choices     []string
	}{
		{"--units", r.Units, []string{"auto", "exported", "annotated"}},
		{"--unitfor", r.UnitFor, []string{"auto", "all", "none", "annotated"}},
		{"--locks", r.Locks, []string{"sound", "empire"}},
		{"--engine", r.Engine, []string{"refine", "prefix"}},
	} {
		if !slices.Contains(c.choices, c.value) {
			last := len(c.choices) - 1
			return inputErrorf(c.flag, "no choice %q; write %s or %s", c.value, strings.Join(c.choices[:last], ", "),
				c.choices[last])
		}
	}
	return nil
}

func (r *Request) checkNumbers() error {
	switch {
	case r.Copies < 2 || r.Copies > MaxCopies:
		// One copy would hide what two goroutines of one statement do to each other.
		return inputErrorf("--copies", "%d copies of a repeated go statement; write a number from 2 to %d", r.Copies,
			MaxCopies)
	case r.Clients < 1 || r.Clients > MaxCopies:
		return inputErrorf("--clients", "%d clients; write a number from 1 to %d", r.Clients, MaxCopies)
	case r.Timeout < 0:
		return inputErrorf("--timeout", "%s is no time to check anything in; write a positive duration such as 60s",
			r.Timeout)
	case r.Budget < 0 && r.Budget != NoBudget:
		return inputErrorf("--budget", "%s is no work; write a positive duration such as 2m, or none", r.Budget)
	case r.Memory < 0:
		return inputErrorf("--memory", "%d bytes is less than nothing; write a size such as 4GiB", r.Memory)
	}
	return nil
}

// checkScenarios checks that the scenarios are of the table, each once.
func (r *Request) checkScenarios() error {
	seen := map[int]bool{}
	for _, s := range r.Scenarios {
		if _, ok := scenarios.ByNumber(s.Number); !ok || len(s.Patterns) == 0 {
			return inputErrorf("--scenario", "no scenario %d; write numbers from 1 to %d separated by commas, or all", s.Number,
				len(scenarios.Table))
		}
		if seen[s.Number] {
			return inputErrorf("--scenario", "%d is given twice; leave one out", s.Number)
		}
		seen[s.Number] = true
	}
	return nil
}
