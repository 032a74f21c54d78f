package harm

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/empire-go/empire-go/frontend/execute"
	"github.com/empire-go/empire-go/frontend/harness"
)

// Functions that are handed over note what they are called with, in a slice: what is in it is said in words.

// notedIn is the end of the path of such a slice in memory: behind the path of the function, before that of
// an element.
var notedIn = regexp.MustCompile(`^(.+)\.calls\d+(\[.*)?$`)

// called tells whether a path is of the calls of a function that was handed over: which function, and the
// rest of the path.
func (d describer) called(path string) (callee, rest string, ok bool) {
	call, result, rest, isResult := execute.SplitResult(path)
	if isResult {
		ok = result >= 0 && result < len(d.shown[call]) && d.shown[call][result] == harness.CalledWith
		return "the function handed to " + d.names[call], rest, ok
	}
	m := notedIn.FindStringSubmatch(path)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// timesCalled says how often a function is called, or with what at a time; "" where there is nothing to say.
func timesCalled(callee, rest, text string) string {
	if rest == "" {
		n := 0
		if _, err := fmt.Sscanf(text, "%d element", &n); err != nil || n == 0 {
			return callee + " is not called"
		}
		if n == 1 {
			return callee + " is called once"
		}
		return fmt.Sprintf("%s is called %d times", callee, n)
	}
	var at int
	if _, err := fmt.Sscanf(rest, "[%d]", &at); err != nil || strings.Count(rest, "[") < 2 || text == "" {
		return "" // that it was called is said by how often
	}
	if at == 0 {
		return callee + " is called with " + text
	}
	return fmt.Sprintf("%s is called with %s, in call %d", callee, text, at+1)
}
