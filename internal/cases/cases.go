// Package cases reads the test programs in folder testdata, and loads them together: each is
// a folder with a case.yaml, which says what is asked about the program and what the answer has
// to be. Its tests hold the checker to the cases, and the cases to runs of the programs.
package cases

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/internal/pipeline"
)

// File is testdata/NAME/case.yaml: what is asked about the program in that
// folder, and what the answer has to be.
type File struct {
	Why      string
	Concepts []string // what it is about: see TestIndex
	Tests    bool     // the entry points are the package's tests
	Tags     string   // build tags that the program is loaded with, separated by commas
	Oracle   string   // why runs of the program are no judge of what is safe in it; empty: they are
	Queries  []Query
}

// Query is one question about the program.
type Query struct {
	Type    string
	Vars    []string
	Fields  []string
	Site    string
	Units   string
	UnitFor string `yaml:"unitfor"`
	Verdict string // of the whole query; empty: not compared
	Strict  bool   // by the letter: see pipeline.Request
	// Functions that run a callback concurrently, as in the file empire.yaml.
	Concurrent []string
	// Types and makers of arguments, likewise. Programs are loaded with those of all cases.
	Joins    []load.Join
	Locks    []load.LockType
	Make     map[string]string
	Long     bool             // without EMPIRE_LONG set only the violated scenarios are asked for: the others take seconds
	DataRace *bool            `yaml:"dataRace"`
	Counts   *bool            `yaml:"raceCounts"` // whether a data race is an error
	Expect   map[int]Expected // the violated scenarios; all others must be safe
	Safe     any              // why the others are safe: a sentence, or one for each scenario
	Unknown  map[int]string   // scenarios that are beyond the tool, with the reason
}

// Expected is a scenario that is violated.
type Expected struct {
	Pattern int      // 0: any
	Level   string   // "note", or "error" as by default
	Units   []string // u and u', without package paths; empty: any
	Harm    string   // pipeline.Harm's status; empty: not looked for
	Does    string   // part of what the run does that shows the harm
	Why     string
}

// Read reads a case file.
func Read(file string) (File, error) {
	var c File
	text, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		return c, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// AsksForHarm tells whether some violation is expected to do harm, or not to, or a data race to count.
func (q Query) AsksForHarm() bool {
	for _, e := range q.Expect {
		if e.Harm != "" {
			return true
		}
	}
	return q.Counts != nil
}

// Request returns the request of a query about the program beside the case file.
func (q Query) Request(file string) pipeline.Request {
	return pipeline.Request{
		Packages: []string{"./" + filepath.ToSlash(filepath.Dir(file))},
		Type:     q.Type, Vars: q.Vars, Fields: q.Fields, Site: q.Site, Units: q.Units, UnitFor: q.UnitFor, Strict: q.Strict,
		Concurrent: q.Concurrent, Joins: q.Joins, LockTypes: q.Locks, Make: q.Make,
		Harm: q.AsksForHarm(),
	}
}
