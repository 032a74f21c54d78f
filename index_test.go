package empire_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// indexedCase is what the index says of a case, with its mended twin NAME_fixed, if there is one.
type indexedCase struct {
	name     string
	Why      string
	Concepts []string
	bug      bool // a violation is expected
	fixed    bool // it has a twin
}

// concept is a row of testdata/concepts.yaml.
type concept struct{ Name, Means string }

// TestIndex requires that testdata/INDEX.md lists all cases by concept. With -update it writes
// the page. Each case says what it is about, in concepts of testdata/concepts.yaml; a twin
// NAME_fixed is about the same. Each concept has a bug with its twin.
func TestIndex(t *testing.T) {
	concepts := readConcepts(t)
	cases := readIndexed(t)
	shown := map[string]bool{} // concepts that have a bug with its twin
	for _, c := range cases {
		if len(c.Concepts) == 0 {
			t.Errorf("testdata/%s/case.yaml: add a line such as \"concepts: [missing lock, joins]\" before queries:, "+
				"out of testdata/concepts.yaml, then run: go test -run TestIndex . -update", c.name)
		}
		for _, name := range c.Concepts {
			if !slices.ContainsFunc(concepts, func(k concept) bool { return k.Name == name }) {
				t.Errorf("testdata/%s/case.yaml: %q is not in testdata/concepts.yaml: "+
					"choose one that is, or add it there", c.name, name)
			}
			shown[name] = shown[name] || c.bug && c.fixed
		}
	}
	for _, k := range concepts {
		if !shown[k.Name] {
			t.Errorf(
				"testdata/concepts.yaml: %q has no case NAME with a violation and a twin NAME_fixed: add them, or remove it",
				k.Name)
		}
	}
	if t.Failed() {
		return
	}
	const file = "testdata/INDEX.md"
	page := index(concepts, cases)
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old, _ := os.ReadFile(file); string(old) != page {
		t.Errorf("%s is out of date: run go test -run TestIndex . -update", file)
	}
}

// readConcepts reads the vocabulary.
func readConcepts(t *testing.T) (concepts []concept) {
	text, err := os.ReadFile("testdata/concepts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &concepts); err != nil {
		t.Fatal(err)
	}
	return concepts
}

// readIndexed reads the case files, in the order of their names. A twin that names no concepts
// is not listed.
func readIndexed(t *testing.T) []*indexedCase {
	files, err := filepath.Glob("testdata/*/case.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	byName := map[string]*indexedCase{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := &indexedCase{name: filepath.Base(filepath.Dir(file))}
		var queries struct {
			Queries []struct{ Expect map[int]any }
		}
		if err := yaml.Unmarshal(text, c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := yaml.Unmarshal(text, &queries); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, q := range queries.Queries {
			c.bug = c.bug || len(q.Expect) > 0
		}
		byName[c.name] = c
	}
	var cases []*indexedCase
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if original, ok := strings.CutSuffix(name, "_fixed"); ok && byName[original] != nil {
			byName[original].fixed = true
			if len(byName[name].Concepts) == 0 {
				continue
			}
		}
		cases = append(cases, byName[name])
	}
	return cases
}

// index is the page: for each concept the cases whose first one it is, with what they show, and
// the names of the others.
func index(concepts []concept, cases []*indexedCase) string {
	var b strings.Builder
	b.WriteString("# Test programs by concept\n\n")
	b.WriteString("Made from the `concepts:` and `why:` of the case files by `go test -run TestIndex . -update`; the " +
		"concepts\n" +
		"are those of [concepts.yaml](concepts.yaml). NAME+ has a mended twin NAME_fixed beside it. A case stands\n" +
		"under its first concept, and by its name under the others.\n")
	for _, k := range concepts {
		fmt.Fprintf(&b, "\n## %s\n\n", k.Name)
		wrap(&b, "", k.Means)
		b.WriteString("\n")
		var others []string
		for _, c := range cases {
			switch i := slices.Index(c.Concepts, k.Name); {
			case i == 0:
				wrap(&b, "- ", fmt.Sprintf("[%s](%s): %s", c.label(), c.name, firstSentence(c.Why)))
			case i > 0:
				others = append(others, fmt.Sprintf("[%s](%s)", c.label(), c.name))
			}
		}
		if len(others) > 0 {
			wrap(&b, "- ", "also "+strings.Join(others, ", "))
		}
	}
	return b.String()
}

// label is the name of the case; NAME+ has a twin.
func (c *indexedCase) label() string {
	if c.fixed {
		return c.name + "+"
	}
	return c.name
}

// wrap writes a paragraph in lines of at most 110 columns, the first of which begins with a mark.
func wrap(b *strings.Builder, mark, text string) {
	line := mark
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
			line += word
		case len(line)+1+len(word) > 110:
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", len(mark)) + word
		default:
			line += " " + word
		}
	}
	b.WriteString(line + "\n")
}

// firstSentence is the text up to its first full stop, but more than some words.
func firstSentence(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for i := 30; i+1 < len(text); i++ {
		if text[i] == '.' && text[i+1] == ' ' {
			return text[:i+1]
		}
	}
	return text
}
