package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep"
)

// sweepFlags are the flags of sweep besides those of a query.
type sweepFlags struct {
	file, sets, format, state string
	workers                   countValue
	again, noCache            bool
	timings                   *bool
	log                       logFlag
	shared                    sharedFlags
	modules                   modulesFlags
}

func newSweep() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sweep [packages | -f queries.yaml]",
		Short: "Answer many queries, in a table",
		Long: `Answer many queries about packages that are loaded once: each type that check
would check, or the one named, with each atomic set that --sets forms, at each
allocation site. A file says more:

  packages: [./...]
  queries:
  - {type: Account, sets: pairs}
  - {type: [Cache, Store], fields: [items, size], scenarios: [1, 9]}
  - {vars: [registry.codecs, registry.latest], strict: true}

Answers are kept in a directory under a hash of the query, of the code that it
depends on and of this program. A sweep that was stopped goes on where it was when
it is made again; one that is repeated answers only what depends on changed code.

The table has the columns of the Empire report's Table 2: functions and
instructions of the program, those that are left after reduction, goroutines, and
for each scenario that is violated the length of the counterexample; with --timings
also the time. Without it, two sweeps of the same print the same.

With --modules a file names modules with their versions, as golang.org/x/sync@v0.10.0, a line
for each. Each is downloaded from the Go proxy, checked as empire-go check ./... does, in a
process of its own, and removed again; the table has a line for each. A process that takes more
than twice --memory, or longer than --module-time, is ended, and the line says so.

Where one machine is too small, a pool answers: empire-go sweep serve keeps tasks and
answers, empire-go sweep worker on any number of machines takes them, and sweep --connect
hands them out and prints the table, which is the same. Any of these processes may be killed
and started again.

Exit status: as of a check that names its query; 3 if there is more to be answered.`,
		Example: `  empire-go sweep ./...
  empire-go sweep --type Account --sets pairs ./bank
  empire-go sweep -f queries.yaml --format csv > table.csv
  empire-go sweep --modules modules.txt --format csv > table.csv`,
		Args: cobra.ArbitraryArgs,
	}
	cmd.AddCommand(newSweepChild())
	own, query := &sweepFlags{}, addQueryFlags(cmd)
	f := cmd.Flags()
	f.StringVarP(&own.file, "file", "f", "", "read the queries from `queries.yaml`")
	f.StringVar(&own.sets, "sets", "groups", "the `way` to form atomic sets of a type: groups (as check does), each "+
		"(field by itself), pairs or all")
	f.StringVar(&own.format, "format", "text", "print the `format` text, json or csv")
	completeFrom(cmd, "format", "text", "json", "csv")
	f.StringVar(&own.state, "state", "", "keep answers in `DIR` (default: where check keeps them); none keeps none")
	addNoCache(cmd, &own.noCache)
	f.Var(&own.workers, "workers", "answer `n` queries at a time (default: one for each processor)")
	f.BoolVar(&own.again, "again", false, "answer what has been answered before as well")
	own.timings = addTableTimings(cmd)
	own.modules.add(cmd)
	own.log.add(cmd, "warn")
	own.shared.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, packages []string) error { return own.run(cmd, query, packages) }
	return cmd
}

func (s *sweepFlags) run(cmd *cobra.Command, query *queryFlags, packages []string) error {
	if s.modules.file != "" {
		return s.sweepModules(cmd, query, packages)
	}
	if err := s.modules.check(cmd); err != nil {
		return err
	}
	render, err := renderTable(s.format)
	if err != nil {
		return err
	}
	if err := s.shared.check(cmd); err != nil {
		return err
	}
	store, err := s.store()
	if err != nil {
		return err
	}
	request, spec, err := s.spec(cmd, query, packages)
	if err != nil {
		return err
	}
	var whole *sweep.Whole // of a pool the answers are kept by its nodes
	if !s.shared.isWanted() {
		whole = store.Whole(request, spec)
	}
	table := whole.Table()
	if table == nil || s.again {
		if table, err = s.answer(cmd, store, request, spec, whole); err != nil {
			return err
		}
	}
	table.Timings = *s.timings
	for _, e := range table.Errors {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s\n", oneLine(fmt.Errorf("%s", e)))
	}
	if err := store.Err(); err != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: --state: %s; what is not kept is answered again next time\n", oneLine(err))
	}
	if len(table.Rows) == 0 && !table.Interrupted {
		return status(statusFailed)
	}
	if err := render(table, cmd.OutOrStdout()); err != nil {
		return asInputError("standard output", err)
	}
	return exitStatus(table.Verdict())
}

// answer answers the queries, and keeps the whole table.
func (s *sweepFlags) answer(cmd *cobra.Command, store *sweep.Store, request empire.Request, spec []sweep.SpecQuery,
	whole *sweep.Whole) (*sweep.Table, error) {
	progress := newProgress(cmd.ErrOrStderr())
	defer progress.show("")
	progress.show("loading the packages")
	if !s.again {
		request.Answers = store.Answers()
	}
	session, err := empire.Open(cmd.Context(), request)
	if err != nil {
		return nil, err
	}
	progress.show("finding out what to ask")
	items, err := expand(cmd.Context(), session, request, spec)
	if err != nil {
		return nil, err
	}
	if s.shared.isWanted() {
		return s.shared.run(cmd, session, request, items, s.again, s.log, progress)
	}
	tasks, closeQueue, err := embeddedQueue(cmd.Context(), store.Answers())
	if err != nil {
		tasks = nil // another sweep uses the directory: one in memory will do, as what is open is known from the answers
	}
	defer closeQueue()
	table, err := sweep.Run(cmd.Context(), session, items, sweep.Options{
		Workers: int(s.workers), Store: store, Again: s.again, Progress: progress.counted("query"), Queue: tasks,
	})
	if err != nil {
		return nil, err
	}
	session.Keep()
	if _, dir := session.ModuleRoot(); !session.IsRestated() {
		whole.Keep(table, dir)
	}
	return table, nil
}

// store opens the state directory.
func (s *sweepFlags) store() (*sweep.Store, error) {
	switch {
	case s.state == "none" || s.noCache:
		return nil, nil
	case s.state == "":
		return sweep.NewStore(answers.OpenDefault()), nil
	}
	store, err := sweep.OpenStore(s.state)
	return store, asInputError("--state", err)
}

// spec returns what is to be loaded, and the queries: those of the file, or the one of
// the flags.
func (s *sweepFlags) spec(cmd *cobra.Command, query *queryFlags, packages []string) (
	empire.Request, []sweep.SpecQuery, error) {
	sets, err := sweep.ParseSets(s.sets)
	if err != nil {
		return empire.Request{}, nil, asInputError("--sets", err)
	}
	request, err := query.build(packages)
	if err != nil {
		return request, nil, err
	}
	if s.file == "" {
		one := sweep.SpecQuery{Fields: request.Fields, Vars: request.Vars, Unit: request.UnitFuncs, Sets: sets}
		if request.Type != "" {
			one.Type = append(one.Type, request.Type)
		}
		if request.Site != "" {
			one.Site = append(one.Site, request.Site)
		}
		return request, []sweep.SpecQuery{one}, nil
	}
	for _, name := range []string{"type", "fields", "vars", "site", "sets", "unit"} {
		if query.isGiven(name) {
			return request, nil, inputError("--"+name, "cannot be combined with -f; write it in the file")
		}
	}
	text, err := readModel(cmd, s.file)
	if err != nil {
		return request, nil, err
	}
	file, err := sweep.ParseSpec(text)
	if err != nil {
		return request, nil, asInputError(s.file, err)
	}
	if len(packages) == 0 && len(file.Packages) > 0 {
		request.Packages = file.Packages
	}
	request.Tests = request.Tests || file.Tests
	if file.Tags != "" {
		request.Tags = file.Tags
	}
	return request, file.Queries, nil
}

// expand returns what the table is of: the requests that the queries stand for.
func expand(ctx context.Context, session *empire.Session, request empire.Request, queries []sweep.SpecQuery) (
	[]sweep.Item, error) {
	var all []sweep.Item
	for _, q := range queries {
		some, err := q.Requests(request)
		if err != nil {
			return nil, err
		}
		for _, r := range some {
			split := []empire.Request{r}
			if len(r.Fields) == 0 {
				if split, err = session.Split(ctx, r, q.Sets); err != nil {
					return nil, err
				}
			}
			for i, own := range split {
				item := sweep.Item{Request: own, Name: q.Name}
				if i == len(split)-1 {
					item.Reference = q.Reference
				}
				all = append(all, item)
			}
		}
	}
	return all, nil
}
