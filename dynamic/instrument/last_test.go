package instrument

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestLast compares behind which ends of critical sections nothing more is accessed with what the program says.
func TestLast(t *testing.T) {
	const dir = "testdata/last"
	plan := &watch.Plan{Sets: []watch.Set{{Fields: []string{"n", "m", "items"},
		Type: "github.com/empire-go/empire-go/dynamic/instrument/testdata/last.Box"}}}
	r, err := Rewrite(context.Background(), Request{Dir: dir, Packages: []string{"."}, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(dir + "/main.go")
	if err != nil {
		t.Fatal(err)
	}
	condition := regexp.MustCompile(`\.If\((.*), \d+\)\)`)
	for _, rewritten := range r.Files {
		lines := strings.Split(rewritten, "\n")[1:] // behind its line directive
		for i, line := range strings.Split(string(text), "\n") {
			if !strings.Contains(line, "Unlock()") {
				continue
			}
			_, want, _ := strings.Cut(line, "// ")
			if !strings.HasPrefix(want, "last") { // it says why not
				want = ""
			}
			is := ""
			if strings.Contains(lines[i], "UnlockLast(") {
				is = "last"
			}
			if c := condition.FindStringSubmatch(lines[i]); c != nil {
				is += " if " + c[1]
			}
			if is != want {
				t.Errorf("line %d: %s: it is %q", i+1, strings.TrimSpace(line), is)
			}
		}
	}
}
