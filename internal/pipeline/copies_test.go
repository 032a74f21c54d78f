package pipeline

import (
	"slices"
	"testing"

	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/reduce"
)

// TestMoreCopiesKeepVerdicts answers the first query of case files with the usual
// number of copies of a repeated goroutine and with one more: the verdicts must be
// the same. With EMPIRE_LONG set it takes every case, else one of forty.
func TestMoreCopiesKeepVerdicts(t *testing.T) {
	forCases(t, 40, func(t *testing.T, a *analysis, site *isolate.Isolation) {
		usual, _ := verdictsOf(t, a, site, reduce.Options{})
		a.request.Copies++
		if more, _ := verdictsOf(t, a, site, reduce.Options{}); !slices.Equal(usual, more) {
			t.Errorf("%d copies: %v\n%d copies: %v", a.request.Copies-1, usual, a.request.Copies, more)
		}
	})
}
