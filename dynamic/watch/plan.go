// Package watch says what a run is watched for: the atomic sets, the code that is
// a unit of work, and what the static half knows about positions of the source. A
// Plan is made by the front end, compiled into the instrumented program's table of
// sites, and stands in the header of every trace, so that a trace explains itself.
//
// The package holds data, and the one convention by which both halves name a
// position (see Position). It decides nothing about a program, and knows neither
// how events are recorded nor how they are matched.
package watch

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/empire-go/empire-go/scenarios"
)

// Schema is the version of the JSON form of a Plan.
const Schema = 1

// Plan is what to watch. Two plans of one request encode to the same bytes.
type Plan struct {
	Schema    int        `json:"schema"`
	Module    string     `json:"module"` // the path of the main module, to whose root positions are relative
	Sets      []Set      `json:"sets"`   // the best first
	Policy    Policy     `json:"policy"`
	Functions []Function `json:"functions"`          // by position
	Loops     []Loop     `json:"loops"`              // by position
	Accesses  []Access   `json:"accesses,omitempty"` // static facts, by position
	Apart     []Apart    `json:"apart,omitempty"`    // by position
	NoFacts   string     `json:"noFacts,omitempty"`  // why there are no static facts; "" if there are
}

// Set is an atomic set: fields of each object of a type, or package variables.
type Set struct {
	Type string `json:"type"` // with its package path, as "example.com/p.Vector"; "" for package variables
	// sorted; dotted for nested structs; of variables: the path of the package and the name
	Fields []string `json:"fields"`
	Vars   []string `json:"vars,omitempty"`   // of variables: where each of Fields is declared
	Guard  string   `json:"guard,omitempty"`  // of a candidate: the lock held at most accesses
	Sites  []string `json:"sites,omitempty"`  // where objects are made that several goroutines access; none: anywhere
	Shared bool     `json:"shared,omitempty"` // several goroutines access one object, as far as is known
}

// Name names the set for a reader, as "p.Vector {count, data}".
func (s Set) Name() string {
	name := s.Type[strings.LastIndex(s.Type, "/")+1:]
	if s.Type == "" {
		name = "package variables"
	}
	return fmt.Sprintf("%s {%s}", name, strings.Join(s.Fields, ", "))
}

// Policy is the choices that the meaning of a match depends on; empire.Request has
// the same.
type Policy struct {
	Units     string   `json:"units"`               // "auto", "exported" or "annotated"
	UnitFuncs []string `json:"unitFuncs,omitempty"` // the functions that are units, instead of those by Units
	UnitFor   string   `json:"unitfor"`             // "auto", "all", "none" or "annotated"
	Strict    bool     `json:"strict,omitempty"`    // every read counts
	// what test functions and subtests access themselves, they only look at: no units
	TestsLook bool  `json:"testsLook,omitempty"`
	Scenarios []int `json:"scenarios,omitempty"` // those asked for; none: all
	Patterns  []int `json:"patterns,omitempty"`  // those asked for, where they are not whole scenarios
}

// Table returns the scenarios asked for, each with only the patterns asked for.
func (p Policy) Table() []scenarios.Scenario {
	list := func(numbers []int) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
	}
	var chosen []scenarios.Scenario
	switch {
	case len(p.Patterns) > 0:
		chosen, _ = scenarios.SelectPatterns(list(p.Patterns))
	case len(p.Scenarios) > 0:
		chosen, _ = scenarios.Select(list(p.Scenarios))
	default:
		chosen = scenarios.Table
	}
	return chosen
}

// Kind is why a function opens a unit of work, and on what.
type Kind string

// The kinds, after the rules for units of work. The site of a UnitBegin record has the
// kind of its function as Site.Kind: a frame with object 0 counts for the objects that are
// made in it if it is a Constructor, for those that its own code accesses if it is Direct,
// and for every object if it is Named. Functions that are units only because
// they access a field themselves (rule 2) need not be listed: whoever sees the accesses sees
// them. Those that are it by points-to analysis alone are not known here.
const (
	Method      Kind = "method"      // on its receiver
	Constructor Kind = "constructor" // on the object that it makes
	Direct      Kind = "direct"      // on each object that it accesses itself
	Named       Kind = "named"       // by //empire:unit or --unit: on every object that it or what it calls accesses
	None        Kind = "none"        // //empire:nounit, or not by the policy: never a unit, whatever it accesses
)

// Function says what an activation of a function is, for one set. Functions that are
// not listed for a set are Direct if they access one of its fields themselves and the
// policy is auto, and no units else.
type Function struct {
	Name string `json:"name"` // as ssa.Function.String
	Pos  string `json:"pos"`  // see Position; of a generic function's instances the same
	Set  int    `json:"set"`
	Kind Kind   `json:"kind"`
	// of a promoted method: the field path at which its receiver is embedded in the object
	Within  string   `json:"within,omitempty"`
	UnitFor []string `json:"unitfor,omitempty"` // parameters (not the receiver) whose objects join the unit
}

// Loop is a service loop: each iteration is a unit of its own.
type Loop struct {
	Pos string `json:"pos"` // where it waits for input; the innermost loop around that position is meant
	Set int    `json:"set"`
}

// Access is what the static half knows of the accesses to a location at a position.
// Accesses at positions that are not listed go by the letter of the patterns.
type Access struct {
	Set   int    `json:"set"`
	Field string `json:"field"`
	Pos   string `json:"pos"` // see Position; of a read of a package variable: where the variable is declared
	// Reads and Writes tell what the accesses here are; both are set for one that does both in
	// one step, as sync/atomic has them: Atomic.
	Reads  bool `json:"reads,omitempty"`
	Writes bool `json:"writes,omitempty"`
	Atomic bool `json:"atomic,omitempty"`
	// Counts tells whether all accesses here are indivisible increments whose results are
	// dropped: they commute with each other.
	Counts bool `json:"counts,omitempty"`
	// Note tells whether what is read here is only logged or formatted for output.
	Note bool `json:"note,omitempty"`
	// Passing tells whether there are places at which the value of a read here no longer
	// matters. Then Until is the positions of the accesses of the same unit at which it may
	// still matter, sorted: at any other listed access the matches of the read are forgotten.
	Passing bool     `json:"passing,omitempty"`
	Until   []string `json:"until,omitempty"`
}

// Apart is that the goroutines started at a position access parts of a field, as elements of
// an array, that are different from those of each other.
type Apart struct {
	Set   int    `json:"set"`
	Field string `json:"field"`
	Start string `json:"start"` // of the go statement, see Position
}

// Encode returns the plan as JSON.
func (p *Plan) Encode() ([]byte, error) {
	p.Schema = Schema
	return json.MarshalIndent(p, "", " ")
}

// Decode reads a plan and validates it.
func Decode(data []byte) (*Plan, error) {
	p := &Plan{}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("plan of what to watch: %w", err)
	}
	return p, p.Validate()
}

// Validate tells whether the plan is one that this version understands.
func (p *Plan) Validate() error {
	if p.Schema != Schema {
		return fmt.Errorf("plan of what to watch: its schema is %d, and %d is understood; record the trace again", p.Schema,
			Schema)
	}
	for i, s := range p.Sets {
		if len(s.Fields) == 0 {
			return fmt.Errorf("plan of what to watch: set %d has no fields", i)
		}
	}
	for _, f := range p.Functions {
		if f.Set < 0 || f.Set >= len(p.Sets) {
			return fmt.Errorf("plan of what to watch: %s is a unit of set %d, and there are %d", f.Name, f.Set, len(p.Sets))
		}
	}
	for _, a := range p.Accesses {
		if a.Set < 0 || a.Set >= len(p.Sets) {
			return fmt.Errorf("plan of what to watch: the access at %s is to set %d, and there are %d", a.Pos, a.Set,
				len(p.Sets))
		}
	}
	return nil
}
