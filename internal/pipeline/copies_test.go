package pipeline

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/frontend/reduce"
	"github.com/empire-go/empire-go/internal/sample"
)

// TestMoreCopiesKeepVerdicts answers the first query of case files with the usual
// number of copies of a repeated goroutine and with one more: the verdicts must be
// the same. With EMPIRE_LONG set it takes every case, else one of forty.
func TestMoreCopiesKeepVerdicts(t *testing.T) {
	files, err := filepath.Glob(ownCases)
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	for _, file := range files {
		if !sample.Has(t.Name(), file, 40) {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			a, site := firstQuery(t, file)
			usual, _ := verdictsOf(t, a, site, reduce.Options{})
			a.request.Copies++
			if more, _ := verdictsOf(t, a, site, reduce.Options{}); !slices.Equal(usual, more) {
				t.Errorf("%d copies: %v\n%d copies: %v", a.request.Copies-1, usual, a.request.Copies, more)
			}
		})
	}
}
