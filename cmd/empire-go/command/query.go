package command

import (
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

// queryFlags are the flags that say what is asked, of check, esl and cpds.
type queryFlags struct {
	request           empire.Request
	fields, vars      listValue
	scenario, pattern string
	copies, clients   countValue
	timeout           durationValue
	budget            budgetValue
	memory            sizeValue
	isGiven           func(flag string) bool
}

// addQueryFlags defines the query flags of a command.
func addQueryFlags(cmd *cobra.Command) *queryFlags {
	q := &queryFlags{
		copies: empire.DefaultCopies, clients: empire.DefaultClients,
		memory: empire.DefaultMemory,
	}
	f, r := cmd.Flags(), &q.request
	f.SortFlags = false
	f.StringVar(&r.Type, "type", "", "the type to check: `T`, pkg.T or path/of/pkg.T (default: every candidate)")
	f.Var(&q.fields, "fields", "the atomic set: the fields of T that belong together, as `a,b`; inner.count for nested "+
		"structs (default: each group that candidates lists)")
	f.Var(&q.vars, "vars", "an atomic set of package variables instead of a type and fields, as `pkg.a,pkg.b`")
	f.StringVar(&r.Site, "site", "", "where the object is allocated: `file.go:line[:col]`, or pkg.Var for a variable "+
		"(default: each site of T)")
	f.StringVar(&q.scenario, "scenario", "all", "the `scenarios` to look for: 9, or 1,2,9, or all")
	f.StringVar(&q.pattern, "pattern", "", "the `patterns` to look for, 1 to 14, instead of whole scenarios")
	f.StringVar(&r.Units, "units", "auto", "the `policy` that says which code is a unit of work: auto, exported or "+
		"annotated")
	f.StringArrayVar(&r.UnitFuncs, "unit", nil, "a `function` that is a unit of work, instead of those by --units; can "+
		"be given several times")
	f.StringVar(&r.UnitFor, "unitfor", "auto", "the `policy` that says which parameters' fields join the atomic set "+
		"during a unit: auto, all, none or annotated")
	f.BoolVar(&r.Strict, "strict", false, "by the letter: every read counts, and notes count as violations")
	f.Var(&q.copies, "copies", "model `n` goroutines for a go statement that can run more than once")
	f.Var(&q.clients, "clients", "let `n` goroutines call a package that has no main function")
	f.BoolVar(&r.ClientFields, "client-fields", false, "let those clients touch exported fields as well")
	f.StringVar(&r.Locks, "locks", "sound", "the `policy` for locks that may be many objects: sound drops them, empire "+
		"merges them")
	f.StringVar(&r.Engine, "engine", "refine", "the decision procedure `name`: refine or prefix")
	f.Var(&q.timeout, "timeout", "`time` for each query, by the clock; past it the verdict is unknown (default: none; "+
		"the work is limited, as that does not depend on how busy the machine is)")
	f.Var(&q.memory, "memory", "memory `size` for each query; past it the verdict is unknown")
	f.BoolVar(&r.Tests, "tests", false, "run the packages' tests as well: test functions are entry points")
	f.StringVar(&r.Tags, "tags", "", "build `tags`, separated by commas")
	q.isGiven = f.Changed
	return q
}

// addBudget defines the flag of a command that answers all queries of a request together.
func (q *queryFlags) addBudget(cmd *cobra.Command) {
	q.budget = budgetValue(empire.DefaultBudget)
	cmd.Flags().Var(&q.budget, "budget", "`work` for all queries together, as the time that it takes on a machine that "+
		"does nothing else, or none; without it, the default is for each package, of five at most; the likeliest "+
		"queries come first, and what is cheap before what is dear")
}

// build returns the request for packages, with every value checked.
func (q *queryFlags) build(packages []string) (empire.Request, error) {
	r := q.request
	r.Packages = packages
	r.Fields, r.Vars = q.fields, q.vars
	r.Copies, r.Clients = int(q.copies), int(q.clients)
	r.Timeout, r.Memory = time.Duration(q.timeout), int64(q.memory)
	if q.isGiven("budget") {
		r.Budget = time.Duration(q.budget)
	}
	var err error
	if r.Scenarios, err = q.scenarios(); err != nil {
		return r, err
	}
	return r, r.Normalize()
}

// scenarios returns those asked for by --scenario or --pattern.
func (q *queryFlags) scenarios() ([]scenarios.Scenario, error) {
	switch {
	case q.isGiven("pattern") && q.isGiven("scenario"):
		return nil, inputError("--pattern", "cannot be combined with --scenario; write one of them")
	case q.isGiven("pattern"):
		selected, err := scenarios.SelectPatterns(q.pattern)
		return selected, asInputError("--pattern", err)
	}
	selected, err := scenarios.Select(q.scenario)
	return selected, asInputError("--scenario", err)
}

func asInputError(what string, err error) error {
	if err == nil {
		return nil
	}
	return inputError(what, "%v", err)
}
