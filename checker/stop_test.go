package checker_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/internal/testmain"
	"github.com/empire-go/empire-go/scenarios"
)

// TestStopsSoon gives Check far too little time for programs that are large in one
// way each. It must end soon after that, and must not take what it has not looked
// at for safe.
func TestStopsSoon(t *testing.T) {
	const allowed = 200 * time.Millisecond
	const soon = 3 * time.Second // of CPU time: far below what any part takes to its end
	for _, c := range []struct {
		name string
		size
	}{
		{"guesses", size{processes: 6, units: 30, locations: 10, locks: 3, sections: 10}},
		{"code", size{processes: 2, units: 4, locations: 2, locks: 2, sections: 3000}},
		{"calls", size{processes: 2, units: 40, locations: 3, locks: 2, sections: 60, calls: true}},
		{"locks", size{processes: 3, units: 20, locations: 3, locks: 100, sections: 100, calls: true}},
	} {
		p := c.program()
		for _, e := range []checker.Engine{refine.New(), prefix.New()} {
			t.Run(c.name+"/"+e.Name(), func(t *testing.T) {
				ctx, cancel := context.WithTimeout(context.Background(), allowed)
				defer cancel()
				overrun := testmain.Overrun(ctx)
				r, err := checker.Check(ctx, p, checker.Options{Scenarios: scenarios.Table, Engine: e})
				if err != nil {
					t.Fatal(err)
				}
				if took := overrun(); took > soon {
					t.Errorf("Check took %v more once the context was done", took)
				}
				for _, f := range r.Findings {
					if v, ok := f.Verdict.(checker.Safe); ok {
						t.Errorf("scenario %d: %v", f.Scenario.Number, v)
					}
				}
			})
		}
	}
}

// size is that of a program in which all processes call all units, each of a number
// of critical sections that may be left out or, some, repeated.
type size struct {
	processes, units, locations, locks, sections int
	calls                                        bool // units call others
}

func (z size) program() *esl.Program {
	p := &esl.Program{Objects: []esl.Object{{Name: "w"}}}
	for l := range z.locations {
		p.Locations = append(p.Locations, esl.Location{Name: fmt.Sprint("f", l)})
	}
	for l := range z.locks {
		p.Locks = append(p.Locks, esl.Lock{Name: fmt.Sprint("m", l)})
	}
	for u := range z.units {
		p.Functions = append(p.Functions, esl.Function{Name: fmt.Sprint("unit", u), Body: z.unit(u)})
	}
	main := esl.Function{Name: "main"}
	for q := range z.processes {
		run := esl.Function{Name: fmt.Sprint("run", q), Body: []esl.Stmt{{Op: esl.Choice}}}
		for u := range z.units {
			run.Body[0].Targets = append(run.Body[0].Targets, len(run.Body))
			run.Body = append(run.Body, esl.Stmt{Op: esl.Call, Arg: u}, esl.Stmt{Op: esl.Goto, Targets: []int{0}})
		}
		p.Processes = append(p.Processes, esl.Process{Name: fmt.Sprint("p", q), Entry: len(p.Functions), Copies: 2})
		p.Functions = append(p.Functions, run)
		main.Body = append(main.Body, esl.Stmt{Op: esl.Start, Arg: q}, esl.Stmt{Op: esl.Start, Arg: q})
	}
	p.Processes = append(p.Processes, esl.Process{Name: "main", Entry: len(p.Functions), Copies: 1, Initial: true})
	p.Functions = append(p.Functions, main)
	return p
}

// unit returns the body of a unit.
func (z size) unit(u int) []esl.Stmt {
	body := []esl.Stmt{{Op: esl.UnitBegin, Unit: fmt.Sprint("U", u)}}
	for i := range z.sections {
		begin, lock := len(body), (i*i+u)%z.locks
		body = append(body, esl.Stmt{Op: esl.Choice}, esl.Stmt{Op: esl.LockOp, Arg: lock},
			esl.Stmt{Op: esl.Access, Arg: (i + u) % z.locations, Access: []esl.AccessKind{esl.Read, esl.Write}[(i+u/2)%2]})
		if z.calls && i%4 == 0 && u > 0 {
			body = append(body, esl.Stmt{Op: esl.Call, Arg: (i + u*u) % u})
		}
		body = append(body, esl.Stmt{Op: esl.Unlock, Arg: lock})
		if i%3 == 0 {
			body = append(body, esl.Stmt{Op: esl.Goto, Targets: []int{begin}})
		}
		body[begin].Targets = []int{begin + 1, len(body)}
	}
	return append(body, esl.Stmt{Op: esl.UnitEnd})
}
