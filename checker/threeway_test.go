package checker_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/checker/witness/enginetest"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/esl/interp"
	"github.com/empire-go/empire-go/esl/random"
	"github.com/empire-go/empire-go/scenarios"
)

// threeWayPrograms is how many random programs TestThreeWay compares;
// EMPIRE_LONG=n multiplies it, EMPIRE_PART=i/n takes a part (see enginetest.Seeds).
const threeWayPrograms = 250

// TestThreeWay: on random programs (two to four processes, one or two locks, two
// locations, calls, small loops, recursion in a third of them) the interpreter, the
// engine prefix and the engine refine never contradict one another about a
// scenario. A violation counts only when Check has replayed it in the interpreter
// and the scenario's pattern has accepted the run; one that does not replay is an
// error here.
func TestThreeWay(t *testing.T) {
	var seeds []uint64
	enginetest.Seeds(threeWayPrograms, func(seed uint64) { seeds = append(seeds, seed) })
	if testing.Short() {
		seeds = seeds[:len(seeds)/5]
	}
	engines := []checker.Engine{refine.New(), prefix.New()} // the same for all: they remember
	var next, violations, proofs, open atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := next.Add(1) - 1; n < int64(len(seeds)) && !t.Failed(); n = next.Add(1) - 1 {
				i := seeds[n]
				shape := random.Shape{Processes: 2 + int(i/3)%3}
				if i%3 == 0 {
					shape.Recursion = 0.3
				}
				p := random.Program(i+9_000_000, shape)
				if err := threeWay(p, engines, &violations, &proofs, &open); err != nil {
					t.Errorf("program %d: %v\n%v", i, err, p)
				}
			}
		})
	}
	workers.Wait()
	t.Logf("%d programs, seeds 9000000 + %d...: %d violations and %d proofs agreed on, %d answers of an engine left open",
		len(seeds), seeds[0], violations.Load(), proofs.Load(), open.Load())
}

// threeWay compares the three on one program.
func threeWay(p *esl.Program, engines []checker.Engine, violations, proofs, open *atomic.Int64) error {
	explored := interp.Explore(context.Background(), p, interp.Bounds{States: 5_000, Depth: 4})
	occurs := map[int]bool{}
	for _, number := range explored.Scenarios() {
		occurs[number] = true
	}
	answers := map[int]string{} // scenario to verdict, of the engines so far
	for _, engine := range engines {
		limits := checker.Limits{States: 50_000, Rounds: 50}
		if engine.Name() == "prefix" {
			limits = checker.Limits{States: 200, Rounds: 2}
		}
		result, err := checker.Check(context.Background(), p,
			checker.Options{Scenarios: scenarios.Table, Engine: engine, Limits: limits})
		if err != nil {
			return err
		}
		_, unknown := verdict(result)
		for _, f := range result.Findings {
			number := f.Scenario.Number
			if number == scenarios.ConflictCycle && (unknown != "" || !explored.Complete) {
				continue // it gives way to others, which may not have been found yet
			}
			verdict := ""
			switch v := f.Verdict.(type) {
			case checker.Unknown:
				if len(v.Reason) > 14 && v.Reason[:14] == "counterexample" {
					return fmt.Errorf("%s, scenario %d: %s", engine.Name(), number, v.Reason)
				}
				open.Add(1)
				continue
			case checker.Violation:
				verdict = "violation"
				violations.Add(1)
			case checker.Safe:
				verdict = "safe"
				proofs.Add(1)
			}
			if known := answers[number]; known != "" && known != verdict {
				return fmt.Errorf("scenario %d: refine says %s, prefix says %s", number, known, verdict)
			}
			answers[number] = verdict
			if verdict == "safe" && occurs[number] {
				return fmt.Errorf("scenario %d: %s says safe, the interpreter finds it", number, engine.Name())
			}
			if verdict == "violation" && !occurs[number] && explored.Complete {
				return fmt.Errorf("scenario %d: %s says violation, the interpreter excludes it", number, engine.Name())
			}
		}
	}
	return nil
}
