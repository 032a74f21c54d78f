package blocking

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/knowledge"
)

// A test that has ended cannot fail any more: Fail, and with it Error, panics. What is logged goes to the next test
// around it that has not ended, and panics if there is none (testing/testing.go: common.Fail, common.destination). So a
// goroutine that a test leaves behind ends all tests. The model has a variable for each test, and one for all of them,
// that say whether they have ended. A test has when its function, its parallel subtests and its cleanups have: see the
// model of package testing in frontend/harness.
//
// Only what a goroutine reports matters that is started by code under test: a test itself has not ended while it runs.

// isOfTest tells whether a function reports something to a test, or ends tests without a body of its own.
func isOfTest(fn *ssa.Function) bool {
	op := knowledge.TestOperation(fn)
	return op.IsReport() || op == knowledge.EndTests
}

// ofTest is the effect of a function of package testing that has to do with the end of a test.
func (l *lowerer) ofTest(s *state, site ssa.CallInstruction, c callee, result ssa.Value) (e effect, ok bool) {
	at := l.position(site)
	switch op := knowledge.TestOperation(c.fn); {
	case op == knowledge.EndTests:
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Assign, Arg: l.allOver(), Value: 1, Pos: at}},
			state: s}}}, true
	case op == knowledge.EndTest:
		p, isKnown := c.args[0].(pointer)
		if !isKnown || p.to.isMany || len(c.fn.Blocks) == 0 {
			return e, false
		}
		l.push(s, c, result)
		s.top().after = []esl.Stmt{{Op: esl.Assign, Arg: l.over(p), Value: 1, Pos: at}}
		return effect{outcomes: []outcome{{state: s}}}, true
	case op == knowledge.FailTest && l.isStartedByTest():
		p, isKnown := c.args[0].(pointer)
		if !isKnown || p.to.isMany {
			l.guess(site, "whether the test has ended that it reports to")
			return plain(s, result, nil), true
		}
		return l.report(s, l.over(p), at, result), true
	case op == knowledge.LogToTest && l.isStartedByTest():
		return l.report(s, l.allOver(), at, result), true
	}
	return e, false
}

// report ends the program if a test has ended.
func (l *lowerer) report(s *state, over int, at esl.Pos, result ssa.Value) effect {
	late := s.clone()
	late.ended = true
	l.lateReports[at] = true
	on := plain(s, result, nil)
	on.outcomes[0].stmts = []esl.Stmt{{Op: esl.Test, Arg: over, Count: 0, Pos: at}}
	return effect{branching: waiting, outcomes: append(on.outcomes, outcome{
		stmts: []esl.Stmt{{Op: esl.Test, Arg: over, Count: 1, Pos: at}, {Op: esl.Exit, Pos: at}}, state: late})}
}

// over is the variable that says whether a test has ended, which is known by the test or by what it has in common with
// others.
func (l *lowerer) over(p pointer) int {
	l.operates(p.to)
	test := strings.TrimSuffix(strings.TrimSuffix(p.path, "common"), ".")
	return l.newVariable(cell{p.to, join(test, "ended")}, 2)
}

// allOver is the one that says whether all tests have.
func (l *lowerer) allOver() int {
	return l.newVariable(cell{l.object("all tests", "tests"), "ended"}, 2)
}

// isStartedByTest tells whether the goroutine that is evaluated was started by code that is tested, and not in order to
// run a test.
func (l *lowerer) isStartedByTest() bool {
	for p := l.process; p != nil && p.parent >= 0; p = l.processes[p.parent] {
		if p.site != nil && !l.runsTests(p.site.Parent()) {
			return true
		}
	}
	return false
}

// runsTests tells whether a function runs tests: one of the model of package testing, or of the main package of a test
// program.
func (l *lowerer) runsTests(fn *ssa.Function) bool {
	outer := knowledge.Outermost(fn)
	isRoot := func(root *ssa.Function) bool { return root.Pkg == outer.Pkg && !isInitialiser(root) }
	return knowledge.IsTesting(outer) || outer.Name() == "tests" && slices.ContainsFunc(l.c.Roots, isRoot)
}

// reportFromGoroutines makes functions count that report to a test and run on a goroutine which a test has started.
func (q *quiet) reportFromGoroutines() {
	var queue []*traits
	isStarted := map[*traits]bool{}
	add := func(fn *ssa.Function) {
		if t := q.functions[fn]; t != nil && !isStarted[t] {
			isStarted[t] = true
			queue = append(queue, t)
		}
	}
	for fn := range q.functions {
		if q.runsTests(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					continue
				}
				_, isGo := instr.(*ssa.Go)
				switch callee := call.Common().StaticCallee(); {
				case isGo && callee != nil:
					add(callee)
				case callee == nil, knowledge.Of(callee).Group != knowledge.Go && len(knowledge.Of(callee).Starts) == 0:
					continue
				}
				for _, arg := range call.Common().Args {
					switch v := arg.(type) {
					case *ssa.MakeClosure:
						add(v.Fn.(*ssa.Function))
					case *ssa.Function:
						add(v)
					}
				}
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		t.must = t.must || slices.ContainsFunc(t.fn.Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
				call, ok := instr.(ssa.CallInstruction)
				if !ok {
					return false
				}
				if m := call.Common().Method; call.Common().IsInvoke() {
					return m.Pkg() != nil && m.Pkg().Path() == "testing"
				}
				callee := call.Common().StaticCallee()
				return callee != nil && knowledge.TestOperation(callee).IsReport()
			})
		})
		for _, callee := range t.callees {
			add(callee.fn)
		}
	}
}
