package steer

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
)

var update = flag.Bool("update", false, "write testdata/harm/want.txt again")

// number is how many runs there were, of which nothing hangs.
var number = regexp.MustCompile(`\d+`)

// TestHarm looks for harmful runs of pairs of functions of a library: of bugs beside their fixes,
// and of code that is harmless although its units are not atomic, of which there are none.
// testdata/harm/want.txt says which, and what is found, an indented line each.
func TestHarm(t *testing.T) {
	const module, file = "example.com/harm", "testdata/harm/want.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	session, err := empire.Open(ctx, empire.Request{Dir: "testdata/harm", Packages: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	l := &library{target: Target{Package: module, Units: "auto", UnitFor: "auto"}}
	byName := map[string]*libraryEntry{}
	var asked [][]string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "#") || len(words) < 4 {
			continue
		}
		asked = append(asked, words)
		if byName[words[0]] != nil {
			continue
		}
		r := empire.Request{Type: module + "." + words[0]}
		w := Watched{Type: r.Type, Fields: strings.Split(words[1], ",")}
		if words[0] == "vars" {
			r = empire.Request{Vars: strings.Split(words[1], ",")}
			w = Watched{Vars: r.Vars}
		}
		programs, err := session.Programs(ctx, r)
		if err != nil || len(programs) == 0 {
			t.Fatal(words, err)
		}
		e := &libraryEntry{name: programs[0].Name()}
		if e.trial, err = session.Trial(ctx, r, e.name); err != nil {
			t.Fatal(words, err)
		}
		byName[words[0]] = e
		l.entries, l.target.Trials = append(l.entries, e), append(l.target.Trials, e.trial)
		l.target.Watched = append(l.target.Watched, w)
	}
	b, err := newBuilder("testdata/harm")
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	searches := map[*libraryEntry]*harmSearch{}
	for i, made := range b.buildTrials(ctx, l) {
		if made.err != nil {
			t.Fatal(l.entries[i].name, made.err)
		}
		lab := &laboratory{ctx: ctx, path: made.binary.Path, work: made.binary.Work}
		defer lab.close()
		searches[l.entries[i]] = newHarmSearch(l.entries[i].trial, lab, HarmBudget{States: 60, Tried: 1500, Runs: 4000})
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			got.WriteString(line)
		}
	}
	for _, words := range asked {
		var names [2]string
		for i, name := range words[2:4] {
			names[i] = "(*" + module + "." + words[0] + ")." + name
			if words[0] == "vars" {
				names[i] = module + "." + name
			}
		}
		h, err := searches[byName[words[0]]].harmOf(names, nil)
		if err != nil {
			t.Fatal(words, err)
		}
		fmt.Fprintf(&got, "%s\n", strings.Join(words, " "))
		if h.Status == empire.HarmUnknown {
			fmt.Fprintf(&got, "\t%s: %s\n", h.Status, number.ReplaceAllString(h.Reason, "N"))
			continue
		}
		fmt.Fprintf(&got, "\t%s: %s; %s\n", h.Status, strings.Join(h.Start, "; "), strings.Join(h.Calls, " | "))
		for _, expected := range h.Expected {
			fmt.Fprintf(&got, "\texpected %s\n", expected)
		}
		fmt.Fprintf(&got, "\tgot %s\n", h.Actual)
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() != string(text) {
		t.Errorf("got\n%s\nwant\n%s\nwrite it with -update", got.String(), text)
	}
}
