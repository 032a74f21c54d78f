package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
)

// Session is packages that were loaded once, about which many requests are made.
type Session struct {
	loaded  Request // what was loaded
	program *load.Program
	engines map[string]checker.Engine
	entries map[string][]harness.Entry // by what of a request they depend on
	stages  map[*ssa.Package]*runner   // by main package
	code    map[*ssa.Package]string    // by main package: fingerprints
	kept    *kept                      // answers of earlier runs
}

// Open loads the packages of a request. Its errors are those of Run.
func Open(ctx context.Context, r Request) (*Session, error) {
	if err := r.Normalize(); err != nil {
		return nil, err
	}
	kept := newKept(r)
	program, err := loadProgram(ctx, r, &runner{})
	if err != nil {
		return nil, err
	}
	s := &Session{loaded: r, program: program, kept: kept, engines: map[string]checker.Engine{},
		entries: map[string][]harness.Entry{}, stages: map[*ssa.Package]*runner{}, code: map[*ssa.Package]string{}}
	for _, name := range []string{"refine", "prefix"} {
		s.engines[name] = NewEngine(name)
	}
	return s, nil
}

// ModuleRoot returns the path of the main module, and its directory.
func (s *Session) ModuleRoot() (path, dir string) { return s.program.Module, s.program.ModuleDir }

// Programs returns the programs that a request is about, each a part of the session: its
// main packages, their tests, or clients of a library. The packages, tests and tags are
// those that were loaded, whatever the request names.
func (s *Session) Programs(ctx context.Context, r Request) ([]*Program, error) {
	r, all, err := s.resolve(ctx, r)
	if err != nil {
		return nil, err
	}
	var programs []*Program
	for _, e := range all {
		if s.stages[e.Main] == nil {
			s.stages[e.Main] = &runner{engines: s.engines, kept: s.kept}
			if s.code[e.Main], err = e.Program.Fingerprint(); err != nil {
				return nil, asInputError(err)
			}
		}
		programs = append(programs, &Program{s, r, e, s.stages[e.Main]})
	}
	return programs, nil
}

// Keep keeps the answers that were found, for other requests and the next time, see Request.Answers.
func (s *Session) Keep() { s.kept.flush() }

// IsRestated tells whether sources were changed by what settings say of types: positions are those of the
// changed ones.
func (s *Session) IsRestated() bool { return len(s.program.Stated()) > 0 }

// resolve returns the request as it is meant for what was loaded, and the programs that it
// is about.
func (s *Session) resolve(ctx context.Context, r Request) (Request, []harness.Entry, error) {
	r, err := s.meant(r)
	if err != nil {
		return r, nil, err
	}
	all, err := s.entriesOf(ctx, r)
	return r, all, asInputError(err)
}

// entriesOf returns the programs that a normalized request is about.
func (s *Session) entriesOf(ctx context.Context, r Request) (all []harness.Entry, err error) {
	key := fmt.Sprint(r.asksAboutBlocking(), r.Type, r.Vars, r.Clients, r.ClientFields, r.Make)
	if s.entries[key] == nil {
		if s.entries[key], err = entriesWithin(ctx, r, s.program, &runner{}, entries); err != nil {
			return nil, err
		}
	}
	return s.entries[key], nil
}

// meant returns the request as it is meant for what was loaded.
func (s *Session) meant(r Request) (Request, error) {
	r.Dir, r.Packages, r.Tests, r.Tags = s.loaded.Dir, s.loaded.Packages, s.loaded.Tests, s.loaded.Tags
	r.Joins, r.LockTypes = s.loaded.Joins, s.loaded.LockTypes
	if err := r.Normalize(); err != nil {
		return r, err
	}
	return withSettings(r, s.program)
}

// toCheck returns the request as it is meant for what was loaded, and the programs that Run would ask about.
func (s *Session) toCheck(ctx context.Context, r Request) (Request, []harness.Entry, error) {
	r, err := s.meant(r)
	if err != nil {
		return r, nil, err
	}
	key := fmt.Sprint("check", r.Type, r.Fields, r.Vars, r.Clients, r.ClientFields, r.Make)
	if s.entries[key] == nil {
		if s.entries[key], err = entriesWithin(ctx, r, s.program, &runner{}, entriesToCheck); err != nil {
			return r, nil, asInputError(err)
		}
	}
	return r, s.entries[key], nil
}

// Run carries out a request about what was loaded, as Run does for what it loads.
func (s *Session) Run(ctx context.Context, r Request) (*Result, error) {
	if r.asksAboutClasses() {
		return s.runClasses(ctx, r)
	}
	r, all, err := s.toCheck(ctx, r)
	if err != nil {
		return nil, err
	}
	result := newResult(r, s.program)
	if err := runEntries(ctx, r, all, result, &runner{budget: newBudget(r), kept: s.kept}); err != nil {
		return nil, asInputError(err)
	}
	result.conclude()
	return result, nil
}

// Only returns the session for some of the packages that were loaded, by their paths.
func (s *Session) Only(paths ...string) *Session {
	return &Session{loaded: s.loaded, program: s.program.Only(paths...), engines: s.engines, kept: s.kept,
		entries: map[string][]harness.Entry{}, stages: map[*ssa.Package]*runner{}, code: map[*ssa.Package]string{}}
}

// Program is a program that a request is about.
type Program struct {
	session *Session
	request Request
	entry   harness.Entry
	stages  *runner // of all requests about the program
}

// Name returns the name of the program, as QueryResult.Entry has it.
func (p *Program) Name() string { return p.entry.Name }

// Fingerprint identifies what the answers to the request depend on, but for the tool
// itself: the code of the program and of all that it imports, and the request without
// its limits of time and memory.
func (p *Program) Fingerprint() (string, error) {
	r := p.request
	// which others were loaded makes no difference
	r.Packages, r.Dir, r.Timings, r.Timeout, r.Budget, r.Memory = nil, "", false, 0, 0, 0
	asked, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendln(asked, p.session.code[p.entry.Main], p.entry.Name))
	return hex.EncodeToString(sum[:]), nil
}

// Query is one question about a program: of one type or set of package variables, at one
// allocation site.
type Query struct {
	Type   string
	Fields []string
	Site   string

	analysis *analysis
	site     query.Site
	shared   time.Duration // its part of what all queries of the program have needed
}

// Queries returns the queries that the request stands for in the program. What goes
// wrong for want of time or memory is an unknown answer of a query.
func (p *Program) Queries(ctx context.Context) ([]*Query, error) {
	p.stages.turns.Lock()
	defer p.stages.turns.Unlock()
	begin := time.Now()
	plan, err := planFor(ctx, p.request, []harness.Entry{p.entry}, p.stages)
	if err != nil {
		return nil, asInputError(err)
	}
	analysed, err := analyses(ctx, p.request, p.entry, plan, p.stages)
	if err != nil {
		return nil, err
	}
	var all []*Query
	for _, a := range analysed {
		sites := []query.Site{{}}
		if a.limit == nil {
			if sites, err = a.sites(); err != nil {
				return nil, err
			}
		}
		for _, site := range sites {
			all = append(all, &Query{Type: a.subject.Name(), Fields: a.subject.Fields, Site: site.String(), analysis: a,
				site: site})
		}
	}
	for _, q := range all {
		q.shared = time.Since(begin) / time.Duration(len(all))
	}
	return all, nil
}

// ErrNotMade means that the program makes no object where the query asks about one.
var ErrNotMade = errors.New("no object is made there by code that the program reaches")

// Answer answers the query, and tells how long that took, with its part of the analyses
// that all queries of the program share. The error is ErrNotMade, or
// that of the context, or an *InternalError. Several queries may be answered at the same time: those of one
// program take turns until their models are made.
func (q *Query) Answer(ctx context.Context) (QueryResult, time.Duration, error) {
	begin := time.Now()
	if q.analysis.limit != nil {
		return q.analysis.unknown(q.site, q.analysis.limit.Error()), q.shared, nil
	}
	answer, err := q.analysis.check(ctx, q.site)
	var unreachable *InputError
	if errors.As(err, &unreachable) && q.analysis.request.Site == "" {
		err = ErrNotMade
	}
	return answer, time.Since(begin) - q.analysis.waited + q.shared, err
}

// Sets says which atomic sets of a type are asked about where no fields are named.
type Sets string

// The ways to form atomic sets.
const (
	DefaultSets Sets = ""      // as for check
	EachField   Sets = "each"  // every field by itself
	FieldPairs  Sets = "pairs" // every two fields
	AllFields   Sets = "all"   // one set of all fields that are not synchronisation
)

// Split returns one request for each atomic set that a request stands for: of the type
// named, or of each that would be checked. What it does not name stays as it is.
func (s *Session) Split(ctx context.Context, r Request, sets Sets) ([]Request, error) {
	ofVars := func(r *Request, names []string) { r.Vars = names }
	if len(r.Vars) > 0 {
		return splitFields(r, r.Vars, sets, ofVars), nil
	}
	chosen, err := s.setsOf(ctx, r, sets)
	if err != nil {
		return nil, asInputError(err)
	}
	var all []Request
	for _, set := range chosen {
		own := r
		own.Type, own.Fields, own.Vars = set.typeName, set.fields, set.vars
		switch {
		case sets == DefaultSets:
			all = append(all, own)
		case set.typeName == "":
			all = append(all, splitFields(own, set.vars, sets, ofVars)...)
		default:
			all = append(all, splitFields(own, set.fields, sets, func(r *Request, names []string) { r.Fields = names })...)
		}
	}
	return all, nil
}

// setsOf returns the atomic sets that check would ask about; or, where others are to be
// formed, all fields of each type.
func (s *Session) setsOf(ctx context.Context, r Request, sets Sets) ([]atomicSet, error) {
	chosen := []atomicSet{{typeName: r.Type}}
	if sets == DefaultSets || r.Type == "" {
		entries, err := s.entriesOf(ctx, r)
		if err != nil {
			return nil, err
		}
		p, err := planFor(ctx, r, entries, &runner{})
		if err != nil {
			return nil, err
		}
		chosen = p.sets
	}
	if sets == DefaultSets {
		return chosen, nil
	}
	var whole []atomicSet
	for _, set := range chosen {
		if set.typeName == "" {
			whole = append(whole, set)
			continue
		}
		subject, err := query.ResolveSubject(s.program, set.typeName, nil)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(whole, func(w atomicSet) bool { return w.typeName == subject.Name() }) {
			whole = append(whole, atomicSet{typeName: subject.Name(), fields: subject.Fields})
		}
	}
	return whole, nil
}

// splitFields returns a request for each set of the names.
func splitFields(r Request, names []string, sets Sets, set func(r *Request, names []string)) []Request {
	var chosen [][]string
	switch sets {
	case EachField:
		for _, name := range names {
			chosen = append(chosen, []string{name})
		}
	case FieldPairs:
		for i, name := range names {
			for _, other := range names[i+1:] {
				chosen = append(chosen, []string{name, other})
			}
		}
		if len(names) == 1 {
			chosen = [][]string{names}
		}
	case AllFields:
		chosen = [][]string{names}
	default:
		return []Request{r}
	}
	var all []Request
	for _, names := range chosen {
		own := r
		set(&own, names)
		all = append(all, own)
	}
	return all
}
