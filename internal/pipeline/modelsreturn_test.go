package pipeline_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/internal/sample"
)

// TestModelsReturn runs the cases: a function that is seen to return also does in the model.
// (One that does not hides what its callers do next.) With EMPIRE_LONG set these are all cases,
// else one of sixteen.
func TestModelsReturn(t *testing.T) {
	files, err := filepath.Glob(cases.Own)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !sample.Has(t.Name(), file, 16) {
			continue
		}
		c := read(t, file)
		for _, q := range c.Queries {
			if programs := programsOf(t, file, cases.OwnPrograms); beyondOracle(c, q, programs) == "" {
				checkReturns(t, q, q.Request(file), programs)
			}
		}
	}
}

// checkReturns runs the programs of a query for that.
func checkReturns(t *testing.T, q cases.Query, r pipeline.Request, programs []harness.Entry) {
	report, err := executeQuery(q, programs[0], execute.Budget{Runs: 5, Random: 5, Time: 20 * time.Millisecond})
	var unsupported *execute.Unsupported
	if errors.As(err, &unsupported) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	pipeline.CheckReturns(t, r, programs, report.Returned)
}
