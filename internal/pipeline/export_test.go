package pipeline

import (
	"testing"

	"github.com/empire-go/empire-go/frontend/harness"
)

// The tests in this package that look into it ask for cases by these. Package cases, which has
// them, imports this one: so the tests outside fill them in.
var (
	// RequestsOf returns what a case file asks, and the programs beside it.
	RequestsOf func(t *testing.T, file string) ([]Request, []harness.Entry)
	// LoadCases returns the programs beside the case files of a pattern, by folder.
	LoadCases func(pattern string) (map[string][]harness.Entry, error)
)

// The patterns of the case files.
const (
	ownCases     = "testdata/*/case.yaml"
	contestCases = "testdata/contest/*/*/case.yaml"
)

// UseOutlines asks about small programs, too, by way of outlines.
func UseOutlines(r *Request) { r.outlines = true }
