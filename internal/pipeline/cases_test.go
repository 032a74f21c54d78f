package pipeline_test

import (
	"testing"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
)

func init() {
	pipeline.RequestsOf = func(t *testing.T, file string) (all []pipeline.Request, programs []harness.Entry) {
		for _, q := range read(t, file).Queries {
			all = append(all, q.Request(file))
		}
		return all, programsOf(t, file, cases.OwnPrograms)
	}
	pipeline.LoadCases = func(pattern string) (map[string][]harness.Entry, error) { return cases.Load(pattern) }
}

// read reads a case file.
func read(t *testing.T, file string) cases.File {
	c, err := cases.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// programsOf returns the programs beside the case file.
func programsOf(t *testing.T, file string, load func() (cases.Programs, error)) []harness.Entry {
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return all.Of(file)
}
