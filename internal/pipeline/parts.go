package pipeline

import (
	"context"

	"github.com/empire-go/empire-go/frontend/harness"
	"github.com/empire-go/empire-go/frontend/load"
)

// Run in parts, for who has many requests about programs that are loaded together. Requests
// are normalized.

// Load loads the packages of a request.
func Load(ctx context.Context, r Request) (*load.Program, error) {
	return loadProgram(ctx, r, &runner{})
}

// ProgramsIn returns the programs of what was loaded that a request is about.
func ProgramsIn(loaded *load.Program, r Request) ([]harness.Entry, error) { return entries(r, loaded) }

// AnswerAbout carries out a request about programs.
func AnswerAbout(ctx context.Context, r Request, programs []harness.Entry) (*Result, error) {
	result := newResult(r, nil)
	if err := runEntries(ctx, r, programs, result, &runner{}); err != nil {
		return nil, err
	}
	return result, nil
}
