package cases_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/internal/cases"
	"github.com/empire-go/empire-go/internal/pipeline"
)

// TestReports writes the answers to the queries of all cases into the directory
// EMPIRE_REPORTS, a file for each case: a list of results, one for each query. The
// measurements of package dynamic/steer read them.
func TestReports(t *testing.T) {
	to := os.Getenv("EMPIRE_REPORTS")
	if to == "" {
		t.Skip("set EMPIRE_REPORTS=DIR to have the answers to all cases written there")
	}
	for _, glob := range []string{cases.Own, cases.Contest} {
		programs, err := cases.Load(glob)
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			dir := filepath.ToSlash(filepath.Dir(file))
			name := strings.ReplaceAll(strings.TrimPrefix(dir, "testdata/"), "/", "_") + ".json"
			c, err := cases.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			var results []*pipeline.Result
			for _, q := range c.Queries {
				r := q.Request(file)
				r.Tests, r.Tags = c.Tests, c.Tags
				if err := r.Normalize(); err != nil {
					t.Fatal(err)
				}
				result, err := pipeline.AnswerAbout(context.Background(), r, programs.Of(file))
				if err != nil {
					t.Errorf("%s: %v", file, err)
					continue
				}
				results = append(results, result)
			}
			text, err := json.Marshal(results)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
