package cases_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/scenarios"
)

func TestHarmMeasure(t *testing.T) {
	out := os.Getenv("EMPIRE_HARM")
	if out == "" {
		t.Skip()
	}
	files, _ := filepath.Glob(cases.Own)
	programs, err := cases.OwnPrograms()
	if err != nil {
		t.Fatal(err)
	}
	f, _ := os.Create(out)
	t.Cleanup(func() { f.Close() })
	var mu sync.Mutex
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		if only := os.Getenv("EMPIRE_ONLY"); only != "" && !strings.Contains(","+only+",", ","+name+",") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := cases.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, q := range c.Queries {
				if len(q.Expect) == 0 {
					continue
				}
				r := q.Request(file)
				r.Harm = true
				r.Memory = 4 * pipeline.DefaultMemory
				r.Scenarios = nil
				for _, s := range scenarios.Table {
					if _, ok := q.Expect[s.Number]; ok {
						r.Scenarios = append(r.Scenarios, s)
					}
				}
				if err := r.Normalize(); err != nil {
					t.Fatal(err)
				}
				res, err := pipeline.AnswerAbout(context.Background(), r, programs.Of(file))
				mu.Lock()
				if err != nil {
					fmt.Fprintf(f, "%s\t%d\t0\terror\t%v\n", name, i, err)
				} else {
					for _, got := range res.Queries {
						for _, s := range got.Scenarios {
							if s.Harm == nil {
								continue
							}
							fmt.Fprintf(f, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%v\t%v\t%v\t%s\n", name, i, s.Scenario, s.Harm.Status, s.Level, s.Harm.Reason,
								got.Entry, cases.ShortNames(s.Units), s.Harm.Start, s.Harm.Calls, s.Harm.Actual)
						}
						for _, s := range got.Races {
							fmt.Fprintf(f, "%s\t%d\trace\t%s\t%s\t%s\t%s\t\t%v\t%v\t%s\n", name, i, s.Harm.Status, s.Level, s.Harm.Reason, got.Entry, s.Harm.Start, s.Harm.Calls, s.Harm.Actual)
						}
					}
				}
				mu.Unlock()
			}
		})
	}
}
