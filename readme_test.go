package empire_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
	"github.com/empire-go/empire-go/scenarios"
)

var update = flag.Bool("update", false, "write the real output into README.md")

// TestReadme: the output that README.md shows is what its first command prints.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	nine, err := scenarios.Select("9")
	if err != nil {
		t.Fatal(err)
	}
	result, err := empire.Run(context.Background(), empire.Request{
		Packages: []string{"./testdata/vector"}, Type: "Vector", Fields: []string{"count", "data"}, Site: "main.go:29",
		Scenarios: nine, Harm: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var real bytes.Buffer
	if err := report.Text(&real, result, report.TextOptions{Width: 100}); err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)\n```\n(Vector: .*?)```\n")
	shown := block.FindSubmatchIndex(text)
	if shown == nil {
		t.Fatal("README.md shows no output")
	}
	// How many functions of the standard library are reachable depends on
	// its version.
	sizes := regexp.MustCompile(`of \d+ (functions|instructions)`)
	want, got := string(text[shown[2]:shown[3]]), real.String()
	if sizes.ReplaceAllString(want, "of N $1") == sizes.ReplaceAllString(got, "of N $1") {
		return
	}
	if !*update {
		t.Fatalf("README.md shows other output than the command prints; run go test -run Readme -update .\n%s", got)
	}
	fresh := strings.Replace(string(text), want, got, 1)
	if err := os.WriteFile("README.md", []byte(fresh), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestLinks: what the documents at the root link to is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, name := range []string{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SESSION.md", "FEATURES.md",
		"integrations/README.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
		}
	}
}

// TestFeatures: the tables of FEATURES.md have as many cells in each row, and the links that they name.
func TestFeatures(t *testing.T) {
	text, err := os.ReadFile("FEATURES.md")
	if err != nil {
		t.Fatal(err)
	}
	links := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\[(\w+)\]: https://\S+$`).FindAllStringSubmatch(string(text), -1) {
		links[m[1]] = false
	}
	cells := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		if n := strings.Count(line, "|"); cells != 0 && n != cells {
			t.Errorf("%d cells, not %d: %s", n-1, cells-1, line)
		} else {
			cells = n
		}
	}
	for _, m := range regexp.MustCompile(`\]\[(\w+)\]`).FindAllStringSubmatch(string(text), -1) {
		if _, known := links[m[1]]; !known {
			t.Errorf("no link %s", m[1])
		}
		links[m[1]] = true
	}
	for name, used := range links {
		if !used {
			t.Errorf("link %s is not used", name)
		}
	}
}
