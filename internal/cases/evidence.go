package cases

import (
	"fmt"
	"strings"

	"github.com/empire-go/empire-go/internal/pipeline"
)

// Evidence shows why a scenario got its verdict.
func Evidence(s pipeline.ScenarioResult) string {
	if s.Reason != "" {
		return ": " + s.Reason
	}
	var b strings.Builder
	fmt.Fprintf(&b, " (units %v, locations %v)", ShortNames(s.Units), s.Locations)
	for _, step := range s.Counterexample {
		mark := "   "
		if step.Event > 0 {
			mark = fmt.Sprintf("(%d)", step.Event)
		}
		fmt.Fprintf(&b, "\n\t%s %s#%d %s %s%s%s %s", mark, step.Goroutine, step.Instance, step.Action, step.Location,
			step.Lock, step.Unit+step.Target, step.Pos)
	}
	return b.String()
}

// ShortNames drops the package paths of function names.
func ShortNames(names []string) []string {
	var short []string
	for _, name := range names {
		prefix := ""
		for _, p := range []string{"(*", "("} {
			if rest, ok := strings.CutPrefix(name, p); ok {
				prefix, name = p, rest
				break
			}
		}
		// Type arguments have paths of their own.
		path, rest, generic := strings.Cut(name, "[")
		if i := strings.LastIndex(path, "/"); i >= 0 {
			path = path[i+1:]
		}
		if i := strings.Index(path, "."); i >= 0 {
			path = path[i+1:]
		}
		if generic {
			path += "[" + rest
		}
		short = append(short, prefix+path)
	}
	return short
}
