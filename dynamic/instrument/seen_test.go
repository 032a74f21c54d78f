package instrument

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestRounds compares which rounds of loops are left out, if they do what those before have done, with what the program
// says.
func TestRounds(t *testing.T) {
	const dir = "testdata/rounds"
	plan := &watch.Plan{Sets: []watch.Set{{Fields: []string{"items", "n"},
		Type: "github.com/empire-go/empire-go/dynamic/instrument/testdata/rounds.Box"}}}
	r, err := Rewrite(context.Background(), Request{Dir: dir, Packages: []string{"."}, Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(dir + "/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, rewritten := range r.Files {
		lines := strings.Split(rewritten, "\n")[1:] // behind its line directive
		for i, line := range strings.Split(string(text), "\n") {
			_, want, isLoop := strings.Cut(line, "b.items { // ")
			if !isLoop {
				continue
			}
			if !strings.Contains(lines[i], "Split(") {
				t.Errorf("line %d: %s: begins no units: %s", i+1, strings.TrimSpace(line), lines[i])
			}
			if is := strings.Contains(lines[i], "{ if !"); is != (want == "left out") {
				t.Errorf("line %d: %s: it is %t", i+1, strings.TrimSpace(line), is)
			}
		}
	}
}
