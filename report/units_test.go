package report

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"
)

// TestJSONRoundTrip reads what JSON wrote and writes it again.
func TestJSONRoundTrip(t *testing.T) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, err := Read(strings.NewReader(find(archive, "result.json")))
		if err != nil {
			t.Fatal(err)
		}
		var text, again bytes.Buffer
		if err := JSON(&text, first); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(strings.ReplaceAll(text.String(), `"pattern": null`, ""), "null") {
			t.Errorf("%s: null in the place of an empty list", path)
		}
		written := text.String()
		second, err := Read(&text)
		if err != nil {
			t.Fatal(err)
		}
		if err := JSON(&again, second); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(written, again.String()); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		if len(second.Causes) == 0 && strings.Contains(written, `"level": "error"`) {
			t.Errorf("%s: violations without a cause", path)
		}
		ignored := cmp.Options{cmpopts.IgnoreFields(empire.Result{}, "Causes"),
			cmpopts.IgnoreFields(empire.ScenarioResult{}, "Cause")}
		if diff := cmp.Diff(first, second, ignored); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// TestJSONOfNothing checks the form of the smallest result: every key of the
// contract, no null.
func TestJSONOfNothing(t *testing.T) {
	var text bytes.Buffer
	if err := JSON(&text, &empire.Result{Schema: Schema,
		Queries: []empire.QueryResult{{Scenarios: []empire.ScenarioResult{{Counterexample: []empire.Step{{}}}}}}}); err !=
		nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(text.Bytes(), &keys); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"schema", "tool", "invocation", "moduleRoot", "verdict", "errors", "queries"} {
		if _, ok := keys[k]; !ok {
			t.Errorf("no %q", k)
		}
	}
	if got := strings.Count(text.String(), "null"); got != 1 { // the pattern
		t.Errorf("%d nulls in\n%s", got, text.String())
	}
	if !strings.HasSuffix(text.String(), "}\n") {
		t.Error("no newline at the end")
	}
}

func TestReadRejects(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "{}", `{"schema": 2}`} {
		if _, err := Read(strings.NewReader(text)); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestNames(t *testing.T) {
	r := &empire.Result{Queries: []empire.QueryResult{{
		Type: "example.com/a.T",
		Scenarios: []empire.ScenarioResult{{Units: []string{
			"(*example.com/a.T).Run", "example.com/a.New", "example.com/b.New", "gopkg.in/yaml.v3.Node", "x/c.Get", "y/c.Get",
			"(*example.com/a.List[example.com/b.E]).Push$1", "main.main",
		}}},
	}}}
	n := newNames(r)
	for name, want := range map[string]string{
		"example.com/a.T": "T", "(*example.com/a.T).Run": "(*T).Run", "example.com/a.New": "a.New",
		"example.com/b.New":     "b.New",
		"gopkg.in/yaml.v3.Node": "Node", "x/c.Get": "x/c.Get", "y/c.Get": "y/c.Get", "main.main": "main",
		"(*example.com/a.List[example.com/b.E]).Push$1": "(*List[E]).Push$1", "never/seen.F": "never/seen.F", "": "",
	} {
		if got := n.of(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text          string
		width, indent int
		want          []string
	}{
		{"", 10, 2, []string{""}},
		{"one two three", 13, 2, []string{"one two three"}},
		{"one two three", 8, 2, []string{"one two", "  three"}},
		{"abcdefghijkl", 5, 0, []string{"abcde", "fghij", "kl"}},
		{"    indented words here", 14, 4, []string{"    indented", "    words here"}},
		{"ä ö ü", 3, 0, []string{"ä ö", "ü"}},
	} {
		if got := wrap(c.text, c.width, c.indent); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestRanges(t *testing.T) {
	for want, in := range map[string][]int{"": nil, "3": {3}, "1 and 2": {1, 2}, "1 to 3": {1, 2, 3},
		"1 to 8, 10 and 12": {1, 2, 3, 4, 5, 6, 7, 8, 10, 12}} {
		if got := ranges(in); got != want {
			t.Errorf("%v: %s, want %s", in, got, want)
		}
	}
}

// TestSourcesStayInside checks that a result that came from elsewhere cannot show
// files outside the module, nor write to the terminal.
func TestSourcesStayInside(t *testing.T) {
	s := newSources("testdata")
	for _, pos := range []string{"../report.go:1:1", "/etc/passwd:1", "missing.go:1", "pool.txtar:0", "pool.txtar:999999",
		"", "-", ":3"} {
		if got := s.line(pos); got != "" {
			t.Errorf("%q: %q", pos, got)
		}
	}
	if s.line("pool.txtar:1:1") == "" {
		t.Error("no line of a file inside")
	}
	if got := printable("a\tb  c\x1b[31m\u0085d\r"); got != "a b c?[31m d" && got != "a b c?[31m?d" {
		t.Errorf("%q", got)
	}
}

// FuzzRender renders any result that can be read: no panic, no line of the text
// too wide for a reader, DOT that is closed.
func FuzzRender(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		if archive, err := txtar.ParseFile(path); err == nil {
			f.Add(find(archive, "result.json"), 80)
		}
	}
	f.Add(
		`{"schema":1,"queries":[{"scenarios":[{"verdict":"violation","scenario":99,`+
			`"counterexample":[{"action":"unit-end","event":1},{"event":1,"goroutine":"g"}]}]}]}`, 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		r, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Text(&b, r, TextOptions{Width: width % 300, Color: width%2 == 0}); err != nil {
			t.Fatal(err)
		}
		b.Reset()
		if err := DOT(&b, r); err != nil || !strings.HasSuffix(b.String(), "}\n") {
			t.Fatalf("%v: %s", err, b.String())
		}
	})
}
