package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/empire-go/empire-go/frontend/candidates"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/frontend/query"
)

// CandidateResult is what could be checked. Its JSON form is part of the contract: fields
// may be added, none is renamed.
type CandidateResult struct {
	Schema     int         `json:"schema"` // 1
	Tool       Tool        `json:"tool"`
	Invocation Invocation  `json:"invocation"`
	ModuleRoot string      `json:"moduleRoot"`
	Candidates []Candidate `json:"candidates"` // the best first
	Reason     string      `json:"reason,omitempty"`
	Left       []LeftOut   `json:"left"` // what is no candidate
}

// Candidate is an atomic set that is worth checking: fields of a type, or package
// variables, that belong together by what the program does with them.
type Candidate struct {
	Type     string          `json:"type"` // "" for package variables
	Fields   []string        `json:"fields"`
	Pos      string          `json:"pos"`
	Guard    string          `json:"guard"`            // the lock that is held at most accesses, "" if there is none
	Atomic   string          `json:"atomic,omitempty"` // the name in //empire:atomic
	Shared   bool            `json:"shared"`           // several goroutines access one object
	Score    int             `json:"score"`            // how much speaks for it; of no meaning but its order
	Evidence []string        `json:"evidence"`         // sentences
	Sites    []CandidateSite `json:"sites"`
	Units    []UnitProposal  `json:"units"`
	Command  string          `json:"command"` // that checks it
}

// CandidateSite is where objects are made, and who accesses them.
type CandidateSite struct {
	Site       string   `json:"site"`
	Shared     bool     `json:"shared"`
	Goroutines []string `json:"goroutines"` // the functions that they begin with
}

// UnitProposal is a function that calls the object twice, the second time depending on what
// the first call returned, and is no unit of work by default.
type UnitProposal struct {
	Function string   `json:"function"`
	Pos      string   `json:"pos"`
	Calls    []string `json:"calls"` // with their positions: "(*Hall).Free main.go:37"
}

// LeftOut is a type that is no candidate.
type LeftOut struct {
	Type string `json:"type"`
	Lock bool   `json:"lock"`           // it has one all the same
	Part bool   `json:"part,omitempty"` // only the fields that Why names are left out
	Why  string `json:"why"`
}

// Candidates finds out what a request that names no set would check, and why. That there
// is nothing is no error: CandidateResult.Reason says why.
func Candidates(ctx context.Context, r Request) (*CandidateResult, error) {
	s, err := lookAround(ctx, r)
	if err != nil {
		return nil, err
	}
	empty := s.empty
	result := &CandidateResult{
		Schema: 1, Tool: empty.Tool, Invocation: empty.Invocation, ModuleRoot: empty.ModuleRoot,
		Candidates: []Candidate{}, Reason: s.reason, Left: []LeftOut{},
	}
	if s.reason == "" {
		result.addAll(s.request, s.program, s.found)
	}
	return result, nil
}

// survey is what was found in programs that nothing is asked about by name.
type survey struct {
	request Request // with the settings of the module
	program *load.Program
	empty   *Result // that says what was looked at
	found   []*candidates.Found
	reason  string // why there is nothing; "" if there is
}

// lookAround loads the packages of a request and finds the candidates.
func lookAround(ctx context.Context, r Request) (*survey, error) {
	if err := r.Normalize(); err != nil {
		return nil, err
	}
	stages := &runner{}
	program, err := loadProgram(ctx, r, stages)
	if err != nil {
		return nil, err
	}
	defer collectSeldom()()
	if r, err = withSettings(r, program); err != nil {
		return nil, err
	}
	s := &survey{request: r, program: program, empty: newResult(r, program)}
	s.found, err = findCandidates(ctx, r, program, stages)
	var nothing *nothingError
	if errors.As(err, &nothing) {
		s.reason, err = nothing.why, nil
	}
	if err != nil {
		return nil, asInputError(err)
	}
	return s, nil
}

// addAll adds what was found in each part.
func (result *CandidateResult) addAll(r Request, program *load.Program, found []*candidates.Found) {
	var why []string
	for _, part := range found {
		result.add(r, program, part)
		why = append(why, whyNot(part)...)
	}
	if len(result.Candidates) == 0 {
		result.Reason = strings.Join(why, "; ")
	}
}

// findCandidates is planFor for all candidates, of programs and of libraries.
func findCandidates(ctx context.Context, r Request, program *load.Program, stages *runner) ([]*candidates.Found,
	error) {
	all, err := entriesWithin(ctx, r, program, stages, entriesToCheck)
	if err != nil {
		return nil, err
	}
	var found []*candidates.Found
	for _, part := range partsOf(all) {
		p, err := candidatesOf(ctx, r, part, stages)
		if err != nil {
			return nil, err
		}
		for i := range p.found.Candidates {
			c := &p.found.Candidates[i]
			c.Sites = append(c.Sites, madeByClients(part, c.Type)...)
		}
		found = append(found, p.found)
	}
	return found, nil
}

// madeByClients returns where the clients of a library make objects of a type.
func madeByClients(all []harness.Entry, typeName string) []candidates.Site {
	var sites []candidates.Site
	seen := map[string]bool{}
	for _, e := range all {
		if !isTypeOf(e, typeName) || e.Owned {
			continue
		}
		for _, m := range e.Made {
			if at := e.Program.Position(m.Pos).String(); !seen[at] {
				seen[at] = true
				sites = append(sites, candidates.Site{Site: at, Shared: true, By: []string{"clients"}})
			}
		}
	}
	return sites
}

// add adds what was found.
func (result *CandidateResult) add(r Request, program *load.Program, found *candidates.Found) {
	for _, c := range found.Candidates {
		out := Candidate{
			Type: c.Type, Fields: c.Fields, Pos: c.Pos, Guard: c.Guard, Atomic: c.Set, Shared: c.Shared, Score: c.Score,
			Evidence: append([]string{}, c.Evidence...), Sites: []CandidateSite{}, Command: command(r, program, found, c),
		}
		for _, s := range c.Sites {
			out.Sites = append(out.Sites, CandidateSite{s.Site, s.Shared, append([]string{}, s.By...)})
		}
		out.Units = []UnitProposal{}
		for _, u := range c.Units {
			out.Units = append(out.Units, UnitProposal{
				u.Function, u.Pos, []string{u.First + " " + u.FirstPos, u.Second + " " + u.SecondPos}})
		}
		result.Candidates = append(result.Candidates, out)
	}
	for _, l := range found.Left {
		result.Left = append(result.Left, LeftOut{l.Name, l.Lock, l.Part, l.Why})
	}
}

// command returns the command that checks a candidate.
func command(r Request, program *load.Program, found *candidates.Found, c candidates.Candidate) string {
	packages := r.Packages
	if found.Clients && c.Type != "" && len(program.Mains()) > 0 { // which would be asked otherwise
		if own := packagePattern(r, program, c.Type[:strings.LastIndex(c.Type, ".")]); own != "" {
			packages = []string{own}
		}
	}
	words := []string{Name, "check"}
	if c.Type == "" {
		words = append(words, "--vars", strings.Join(c.Fields, ","))
	} else {
		words = append(words, "--type", shortType(program, c.Type, c.Fields), "--fields", strings.Join(c.Fields, ","))
	}
	if r.Tests {
		words = append(words, "--tests")
	}
	if r.Tags != "" {
		words = append(words, "--tags", r.Tags)
	}
	return strings.Join(append(words, packages...), " ")
}

// shortType returns the name of a type with that of its package, or with its path if that
// is not enough.
func shortType(program *load.Program, name string, fields []string) string {
	dot := strings.LastIndex(name, ".")
	for _, pkg := range program.Packages {
		if pkg.Pkg.Path() != name[:dot] {
			continue
		}
		short := fmt.Sprintf("%s.%s", pkg.Pkg.Name(), name[dot+1:])
		if s, err := query.ResolveSubject(program, short, fields); err == nil && s.Name() == name {
			return short
		}
	}
	return name
}
