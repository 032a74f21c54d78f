package steer

import (
	"cmp"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// library is a package of which violations were found, with the experiments that look for their
// harm: one for each program of clients that was checked.
type library struct {
	target  Target
	entries []*libraryEntry
}

type libraryEntry struct {
	name       string
	trial      *empire.Trial
	violations []Violation
}

// addHarm looks for runs of the libraries of a result in which two calls do what no order of
// them does, and says of each violation of theirs whether there is one.
func (b *builder) addHarm(ctx context.Context, r *empire.Result) error {
	libraries, err := b.libraries(ctx, r)
	if err != nil {
		return err
	}
	for _, l := range libraries {
		for i, made := range b.buildTrials(ctx, l) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if made.err != nil {
				l.entries[i].unknown(made.err.Error())
				continue
			}
			if err := l.entries[i].search(ctx, made.binary); err != nil {
				return err
			}
		}
	}
	return nil
}

// libraries sorts the violations of libraries by the package, and writes the experiments.
func (b *builder) libraries(ctx context.Context, r *empire.Result) ([]*library, error) {
	entries := map[string]*libraryEntry{}
	var order []*libraryEntry
	for _, v := range Violations(r) {
		if !strings.HasPrefix(v.Query.Entry, clientsPrefix) {
			continue
		}
		e := entries[v.Query.Entry]
		if e == nil {
			e = &libraryEntry{name: v.Query.Entry}
			entries[e.name], order = e, append(order, e)
		}
		e.violations = append(e.violations, v)
	}
	if len(order) == 0 {
		return nil, nil
	}
	p := r.Invocation.Policies
	request := empire.Request{Dir: b.dir, Packages: r.Invocation.Packages, Tags: r.Invocation.Tags, Units: p.Units,
		UnitFor: p.UnitFor, Strict: p.Strict}
	session, err := empire.Open(ctx, request)
	if err != nil {
		return nil, err
	}
	var all []*library
	for _, e := range order {
		trial, err := e.trialIn(ctx, session, request)
		if err != nil {
			e.unknown(err.Error())
			continue
		}
		e.trial = trial
		t := Target{Package: b.packageOf(ctx, e, r), Tags: r.Invocation.Tags, Units: p.Units, UnitFor: p.UnitFor,
			Strict: p.Strict}
		i := slices.IndexFunc(all, func(l *library) bool { return l.target.Package == t.Package })
		if i < 0 {
			i, all = len(all), append(all, &library{target: t})
		}
		all[i].add(e)
	}
	return all, nil
}

// add adds the violations of an entry.
func (l *library) add(e *libraryEntry) {
	l.entries = append(l.entries, e)
	l.target.Trials = append(l.target.Trials, e.trial)
	for _, v := range e.violations {
		if w := watched(v); !slices.ContainsFunc(l.target.Watched, w.is) {
			l.target.Watched = append(l.target.Watched, w)
		}
	}
}

// trialIn returns the experiments of an entry.
func (e *libraryEntry) trialIn(ctx context.Context, session *empire.Session, r empire.Request) (*empire.Trial, error) {
	q := e.violations[0].Query
	if q.Type == "" {
		r.Vars = q.Fields
		return session.Trial(ctx, r, e.name)
	}
	r.Type = e.typeName() // that the clients are of
	trial, err := session.Trial(ctx, r, e.name)
	if err != nil {
		r.Type = q.Type
		if another, other := session.Trial(ctx, r, e.name); other == nil {
			return another, nil
		}
	}
	return trial, err
}

// typeName returns the type that an entry named "clients of TYPE made by F" is of.
func (e *libraryEntry) typeName() string {
	name, _, _ := strings.Cut(strings.TrimPrefix(e.name, clientsPrefix+" of "), " made by ")
	return name
}

// packageOf returns the package that is called: that of the type, or of the first variable.
func (b *builder) packageOf(ctx context.Context, e *libraryEntry, r *empire.Result) string {
	name := generic(e.violations[0].Query.Type)
	if strings.HasPrefix(e.name, clientsPrefix+" of ") {
		name = generic(e.typeName())
	}
	if dot := strings.LastIndex(name, "."); dot > strings.LastIndex(name, "/") {
		return name[:dot]
	}
	first, _, _ := strings.Cut(e.violations[0].Query.Fields[0], ".")
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-tags=" + r.Invocation.Tags,
		"-f", "{{.Name}} {{.ImportPath}}", "--"}, r.Invocation.Packages...)...)
	cmd.Dir = b.dir
	out, _ := cmd.Output() // what is wrong, the build says
	for line := range strings.Lines(string(out)) {
		if name, path, _ := strings.Cut(strings.TrimSpace(line), " "); name == first {
			return path
		}
	}
	return r.Invocation.Packages[0]
}

// buildTrials builds the programs that carry out experiments: all at once, or where that fails
// each by itself.
func (b *builder) buildTrials(ctx context.Context, l *library) []built {
	all := make([]built, len(l.entries))
	binaries, err := b.buildTogether(ctx, []Target{l.target})
	for i := range all {
		switch {
		case err == nil:
			all[i].binary = binaries[i]
		case len(all) == 1 || ctx.Err() != nil:
			all[i].err = err
		default:
			alone := l.target
			alone.Trials = alone.Trials[i : i+1]
			if binaries, err := b.buildTogether(ctx, []Target{alone}); err != nil {
				all[i].err = err
			} else {
				all[i].binary = binaries[0]
			}
		}
	}
	return all
}

// search looks for harm in the experiments of an entry, once for each two functions.
func (e *libraryEntry) search(ctx context.Context, binary *Binary) error {
	lab := &laboratory{ctx: ctx, path: binary.Path, work: binary.Work}
	defer lab.close()
	h := newHarmSearch(e.trial, lab, DefaultHarmBudget)
	done := map[[2]string]*empire.Harm{}
	for _, v := range e.violations {
		calls, err := clientCalls(v)
		if err != nil {
			v.setHarm(unknownHarm(err.Error()))
			continue
		}
		for role, name := range calls { // what a goroutine of the library does, a client may do as well
			if len(stepsOf(e.trial, name)) == 0 && role < len(v.Scenario.Units) {
				calls[role] = cmpOr(v.Scenario.Units[role], name)
			}
		}
		slices.Sort(calls[:])
		if done[calls] == nil {
			if done[calls], err = h.harmOf(calls, v.Scenario.Harm); err != nil {
				return err
			}
		}
		v.setHarm(done[calls])
	}
	return nil
}

// harmOf looks for the harm of two functions. Where a harmful run is known already, as far as
// another half of the tool can tell, that is tried first.
func (h *harmSearch) harmOf(names [2]string, known *empire.Harm) (*empire.Harm, error) {
	var calls [2][]int
	for i, name := range names {
		if calls[i] = stepsOf(h.trial, name); len(calls[i]) == 0 {
			return unknownHarm("no call of " + filepath.Base(name) + " can be written for an experiment"), nil
		}
	}
	f, none, err := h.search(calls, h.startOf(known))
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return unknownHarm(none.reason()), nil
	}
	return f.harm(h.trial), nil
}

// knownStart is a start, and two calls.
type knownStart struct {
	state objectState
	calls [2]int
}

// startOf finds the start of a harmful run in the experiments; nil if it is not there.
func (h *harmSearch) startOf(harm *empire.Harm) *knownStart {
	if harm == nil || len(harm.Calls) != 2 {
		return nil
	}
	index := func(steps []empire.TrialStep, text string) int {
		return slices.IndexFunc(steps, func(s empire.TrialStep) bool { return s.Text == text })
	}
	k, before := &knownStart{}, harm.Start
	found := []int{}
	if len(h.trial.Makers) > 0 && len(before) > 0 {
		k.state.maker, before = index(h.trial.Makers, before[0]), before[1:]
		found = append(found, k.state.maker)
	}
	for _, text := range before {
		if strings.HasPrefix(text, "var ") { // of what calls hand out
			continue
		}
		k.state.before = append(k.state.before, index(h.trial.Steps, text))
	}
	for i, text := range harm.Calls {
		k.calls[i] = index(h.trial.Steps, text)
	}
	if slices.Contains(slices.Concat(found, k.state.before, k.calls[:]), -1) {
		return nil
	}
	return k
}

func unknownHarm(reason string) *empire.Harm {
	return &empire.Harm{Status: empire.HarmUnknown, Reason: reason}
}

// unknown says of all violations of an entry why no run tells of their harm.
func (e *libraryEntry) unknown(reason string) {
	for _, v := range e.violations {
		v.setHarm(unknownHarm(reason))
	}
}

// setHarm puts what runs have shown into the result, where that is more than is known already.
func (v Violation) setHarm(h *empire.Harm) {
	rank := func(h *empire.Harm) int {
		if h == nil {
			return 0
		}
		return 1 + slices.Index([]string{empire.HarmUnknown, empire.HarmNone, empire.HarmPossible, empire.HarmSeen}, h.Status)
	}
	if old := v.Scenario.Harm; rank(h) >= rank(old) {
		own := *h
		if old != nil && h.Status == empire.HarmUnknown {
			own.Reason = cmp.Or(h.Reason, old.Reason)
		}
		v.Scenario.Harm = &own
	}
}
