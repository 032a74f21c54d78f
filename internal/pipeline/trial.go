package pipeline

import (
	"context"
	"fmt"

	"github.com/empire-go/empire-go/frontend/harness"
)

// Trial is the source of a main package of small functions that make an object of a library and
// use it, each in one way: what experiments with the object consist of. Its function main is
// empty.
type Trial struct {
	Source string
	Makers []TrialStep // functions that return the object; none where there are only package variables
	Steps  []TrialStep // functions of the object, or of nothing, that return what a call has returned
}

// TrialStep is a function of a trial.
type TrialStep struct {
	Name    string
	Callee  string   // the function that it calls, as counterexamples name it
	Text    string   // the call as one would write it, with the object as o
	Shown   []string // what each result of the function is: "" where it is what the call returns
	Imports []string // "name path" of each package that Text names
	Waits   bool     // it may never return
	Uses    string   // the declaration of the variable with what other steps hand out, if it is used
}

// Trial returns the experiments for the program of a request with a name, as
// QueryResult.Entry has it. The error says why it has none.
func (s *Session) Trial(ctx context.Context, r Request, entry string) (*Trial, error) {
	_, all, err := s.resolve(ctx, r)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if e.Name != entry {
			continue
		}
		t, err := e.Trial()
		if err != nil {
			return nil, err
		}
		return &Trial{Source: t.Source, Makers: trialSteps(e, t.Makers), Steps: trialSteps(e, t.Steps)}, nil
	}
	return nil, fmt.Errorf("no program is called %q now", entry)
}

func trialSteps(e harness.Entry, all []harness.TrialStep) []TrialStep {
	var steps []TrialStep
	for _, s := range all {
		step := TrialStep{Name: s.Name, Text: s.Text, Shown: s.Shown, Imports: s.Imports, Waits: s.Waits,
			Uses: s.Uses}
		if s.Callee != nil {
			if fn := e.Program.SSA.FuncValue(s.Callee.Origin()); fn != nil {
				step.Callee = fn.String()
			}
		}
		steps = append(steps, step)
	}
	return steps
}
