package facts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/esl"
)

// TestModels looks at the models of testdata. A file is a model, "# --", and the facts, as
// comments: one line for each access, in the order of the positions as text, "f position:"
// and what is known: "counts", "note", "until positions".
func TestModels(t *testing.T) {
	files, err := filepath.Glob("testdata/*.esl")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".esl"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			model, want, ok := strings.Cut(string(text), "# --\n")
			if !ok {
				t.Fatal("no line # -- in it")
			}
			p, err := esl.Parse(file, []byte(model))
			if err != nil {
				t.Fatal(err)
			}
			if err := esl.Validate(p); err != nil {
				t.Fatal(err)
			}
			c := NewCollector()
			names := Naming{Field: map[string]string{"f": "f", "g": "g"}, Output: "out"}
			if err := c.Add(context.Background(), p, names); err != nil {
				t.Fatal(err)
			}
			plan := &watch.Plan{}
			c.Write(plan)
			var got strings.Builder
			for _, a := range plan.Accesses {
				fmt.Fprintf(&got, "# %s %s:", a.Field, a.Pos)
				if a.Counts {
					got.WriteString(" counts")
				}
				if a.Note {
					got.WriteString(" note")
				}
				if a.Passing {
					fmt.Fprintf(&got, " %s", strings.Join(append([]string{"until"}, a.Until...), " "))
				}
				got.WriteString("\n")
			}
			for _, a := range plan.Apart {
				fmt.Fprintf(&got, "# %s apart: %s\n", a.Field, a.Start)
			}
			if got.String() != want {
				t.Errorf("the facts are\n%snot\n%s", got.String(), want)
			}
		})
	}
}
