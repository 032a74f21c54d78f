package cases

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/internal/pipeline"
)

// The patterns of the case files: of the programs written for it, and of the concurrency
// benchmark.
const (
	Own     = "testdata/*/case.yaml"
	Contest = "testdata/contest/*/*/case.yaml"
)

// Programs are programs by folder, as "./testdata/vector".
type Programs map[string][]harness.Entry

// Of returns the programs beside a case file.
func (p Programs) Of(file string) []harness.Entry {
	return p["./"+filepath.ToSlash(filepath.Dir(file))]
}

// OwnPrograms are the programs that were written for the checker, loaded once.
var OwnPrograms = sync.OnceValues(func() (Programs, error) { return Load(Own) })

// Load returns the programs beside case files, by folder. They are loaded
// together, as most of what they import is the same; those that are tests, or have
// build tags, in a load of their own.
func Load(pattern string) (Programs, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var ways []pipeline.Request               // to load programs
	requests := map[string]pipeline.Request{} // by folder
	for _, file := range files {
		c, err := Read(file)
		if err != nil {
			return nil, err
		}
		first := c.Queries[0].Request(file)
		i := slices.IndexFunc(ways, func(r pipeline.Request) bool { return r.Tests == c.Tests && r.Tags == c.Tags })
		if i < 0 {
			i, ways = len(ways), append(ways, pipeline.Request{Tests: c.Tests, Tags: c.Tags, Make: map[string]string{}})
		}
		ways[i].Packages = append(ways[i].Packages, first.Packages...)
		ways[i].Joins, ways[i].LockTypes = append(ways[i].Joins, first.Joins...),
			append(ways[i].LockTypes, first.LockTypes...)
		for t, function := range first.Make {
			ways[i].Make[t] = function
		}
		one := pipeline.Request{Packages: first.Packages, Vars: first.Vars, Tests: c.Tests, Tags: c.Tags, Make: first.Make}
		if !slices.ContainsFunc(c.Queries, func(q Query) bool { return q.Type != first.Type }) {
			one.Type = first.Type // of a library, it may have no clients otherwise
		}
		requests[first.Packages[0]] = one
	}
	byFolder := Programs{}
	for _, r := range ways {
		if err := r.Normalize(); err != nil {
			return nil, err
		}
		program, err := pipeline.Load(context.Background(), r)
		if err != nil {
			return nil, err
		}
		for _, folder := range r.Packages {
			path := program.Module + strings.TrimPrefix(folder, ".")
			own := requests[folder]
			if err := own.Normalize(); err != nil {
				return nil, fmt.Errorf("%s: %w", folder, err)
			}
			if byFolder[folder], err = pipeline.ProgramsIn(program.Only(path), own); err != nil {
				return nil, fmt.Errorf("%s: %w", folder, err)
			}
		}
	}
	return byFolder, nil
}
