package steer

import (
	"regexp"
	"slices"
	"strings"
)

// testFunction finds the functions that package testing runs by their names, in the stacks of
// a counterexample.
var testFunction = regexp.MustCompile(`\.((?:Test|Benchmark|Fuzz|Example)(?:|[^a-z \t].*?))(?:\$\d+)* `)

// benchmarkTimes is how many iterations a benchmark has: enough for all its goroutines.
const benchmarkTimes = "-test.benchtime=40x"

// argumentsOf returns the arguments with which a program of tests runs only the functions that
// the counterexample names; nil for other programs, and if it names none.
func argumentsOf(v Violation, b *Binary) []string {
	if !b.IsTest {
		return nil
	}
	var tests, benchmarks []string
	for _, step := range v.Scenario.Counterexample {
		for _, frame := range step.Stack {
			m := testFunction.FindStringSubmatch(frame)
			switch {
			case m == nil || m[1] == "TestMain":
			case strings.HasPrefix(m[1], "Benchmark"):
				benchmarks = append(benchmarks, m[1])
			default:
				tests = append(tests, m[1])
			}
		}
	}
	if len(tests)+len(benchmarks) == 0 {
		return nil
	}
	all := []string{"-test.run=" + anyOf(tests)}
	if len(benchmarks) > 0 {
		all = append(all, "-test.bench="+anyOf(benchmarks), benchmarkTimes)
	}
	return all
}

// anyOf returns a pattern for names, in the form that package testing wants.
func anyOf(names []string) string {
	slices.Sort(names)
	return "^(" + strings.Join(slices.Compact(names), "|") + ")$"
}
