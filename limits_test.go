package empire_test

import (
	"strings"
	"testing"
	"time"

	empire "github.com/empire-go/empire-go"
)

// TestLimits requires that a query whose limits are passed, at the latest while the
// call graph is computed, is unknown and says which limit it was.
func TestLimits(t *testing.T) {
	for name, r := range map[string]empire.Request{
		"--timeout": {Timeout: time.Nanosecond},
		"--memory":  {Memory: 1},
	} {
		t.Run(name, func(t *testing.T) {
			r.Packages, r.Type = []string{"./testdata/vector"}, "Vector"
			result, err := empire.Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if len(result.Queries) != 1 || result.Verdict != empire.VerdictUnknown {
				t.Fatalf("verdict %s of %d queries, want one that is unknown", result.Verdict, len(result.Queries))
			}
			q := result.Queries[0]
			if q.Verdict != empire.VerdictUnknown || !strings.Contains(q.Reason, name) || len(q.Scenarios) == 0 {
				t.Errorf("%s because %q", q.Verdict, q.Reason)
			}
		})
	}
}
