package command

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep/corpus"
)

// modulesFlags are the flags of a sweep over modules.
type modulesFlags struct {
	file   string
	budget budgetValue
	time   durationValue
	disk   sizeValue
}

// modulesOnly are the flags that need --modules.
var modulesOnly = []string{"budget", "module-time", "disk"}

func (m *modulesFlags) add(cmd *cobra.Command) {
	m.budget, m.time, m.disk = budgetValue(empire.DefaultBudget), durationValue(10*time.Minute), corpus.DefaultDisk
	f := cmd.Flags()
	f.StringVar(&m.file, "modules", "", "check the modules in `FILE`, each as a whole")
	f.Var(&m.budget, "budget", "with --modules: `work` for each module, as check has it")
	f.Var(&m.time, "module-time", "with --modules: `time` for each module by the clock, downloading and loading included")
	f.Var(&m.disk, "disk", "with --modules: take disk of this `size` at most for what is downloaded")
}

func (m *modulesFlags) check(cmd *cobra.Command) error {
	for _, name := range modulesOnly {
		if cmd.Flags().Changed(name) {
			return inputError("--"+name, "needs --modules; write both")
		}
	}
	return nil
}

// withoutModules are the flags that name what modules have of their own.
var withoutModules = []string{"file", "type", "fields", "vars", "site", "sets", "unit", "connect", "tests"}

// sweepModules checks modules.
func (s *sweepFlags) sweepModules(cmd *cobra.Command, query *queryFlags, packages []string) error {
	if len(packages) > 0 {
		return inputError(packages[0], "cannot be combined with --modules; leave it out")
	}
	for _, name := range withoutModules {
		if given := cmd.Flags().Lookup(name); given != nil && given.Changed {
			return inputError("--"+name, "cannot be combined with --modules; leave it out")
		}
	}
	render, ok := map[string]func(*corpus.Table, io.Writer) error{
		"text": (*corpus.Table).Text, "json": (*corpus.Table).JSON, "csv": (*corpus.Table).CSV}[s.format]
	if !ok {
		return inputError("--format", "no format %q; write text, json or csv", s.format)
	}
	text, err := readModel(cmd, s.modules.file)
	if err != nil {
		return err
	}
	modules, err := corpus.Parse(string(text))
	if err != nil {
		return asInputError(s.modules.file, err)
	}
	request, err := query.build(nil)
	if err != nil {
		return err
	}
	request.Budget = time.Duration(s.modules.budget)
	store, err := s.store()
	if err != nil {
		return err
	}
	log, err := s.log.logger(cmd)
	if err != nil {
		return err
	}
	table, err := s.checkModules(cmd, corpus.Options{
		Request: request, Time: time.Duration(s.modules.time), Workers: int(s.workers), Disk: int64(s.modules.disk),
		Store: store.Answers(), Again: s.again, Log: log,
	}, modules)
	if err != nil {
		return err
	}
	table.Timings = *s.timings
	if err := render(table, cmd.OutOrStdout()); err != nil {
		return asInputError("standard output", err)
	}
	return exitStatus(table.Verdict())
}

// checkModules checks modules in a directory of their own.
func (s *sweepFlags) checkModules(cmd *cobra.Command, o corpus.Options, modules []module.Version) (
	*corpus.Table, error) {
	tasks, stop, err := embeddedQueue(cmd.Context(), o.Store)
	if err != nil {
		return nil, asInputError("--state", err)
	}
	defer stop()
	o.Queue = tasks
	if o.Dir, err = filepath.Abs(filepath.Join(o.Store.Dir(), "modules")); err != nil {
		return nil, err
	}
	if o.Store == nil {
		if o.Dir, err = os.MkdirTemp("", "empire-modules"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(o.Dir)
	}
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	o.Command = []string{own, "sweep", "child"}
	progress := newProgress(cmd.ErrOrStderr())
	defer progress.show("")
	o.Progress = progress.counted("module")
	return corpus.Run(cmd.Context(), modules, o)
}
