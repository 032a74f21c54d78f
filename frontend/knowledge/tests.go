package knowledge

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// TestOp is what a function of package testing has to do with the end of tests.
type TestOp uint8

// The operations. The model of package testing (see package frontend/harness) has functions in which tests end.
const (
	NoTestOp  TestOp = iota
	FailTest         // it marks a test as failed, which panics once the test has ended
	LogToTest        // it logs to a test, which panics once all tests have ended
	EndTest          // in the model: one test ends
	EndTests         // in the model: all tests have ended
)

var testOps = map[string]TestOp{
	"(*testing.common).Error": FailTest, "(*testing.common).Errorf": FailTest, "(*testing.common).Fail": FailTest,
	"(*testing.common).Log": LogToTest, "(*testing.common).Logf": LogToTest, "(*testing.common).Output": LogToTest,
	"testing.ModelFinishT": EndTest, "testing.ModelOver": EndTests,
}

// TestOperation returns what a function, or the method that it is made to call, has to do with the end of tests.
func TestOperation(fn *ssa.Function) TestOp {
	if obj, ok := fn.Object().(*types.Func); ok {
		return testOps[obj.FullName()]
	}
	return testOps[Name(fn)]
}

// IsReport tells whether the function reports something to a test.
func (op TestOp) IsReport() bool { return op == FailTest || op == LogToTest }
