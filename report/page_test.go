package report

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"golang.org/x/tools/txtar"
)

// TestPageContrast holds each pair of a text and what it stands on to a contrast of 4.5:1 (WCAG 2, AA), and
// edges that carry meaning to 3:1, in both colour schemes.
func TestPageContrast(t *testing.T) {
	light, dark, found := strings.Cut(pageStyle, "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("no dark scheme")
	}
	grounds := map[string][]string{ // by background
		"page":      {"text", "quiet", "link", "bad", "good", "open"},
		"panel":     {"text", "quiet", "link", "bad"},
		"event":     {"event-text", "event-mark"},
		"now-panel": {"now-text"},
	}
	for scheme, css := range map[string]string{"light": light, "dark": dark} {
		colors := map[string]string{}
		for _, m := range regexp.MustCompile(`--([\w-]+): (#[0-9a-f]{6})`).FindAllStringSubmatch(css, -1) {
			colors[m[1]] = m[2]
		}
		for ground, texts := range grounds {
			for _, text := range texts {
				if c := contrast(t, colors[text], colors[ground]); c < 4.5 {
					t.Errorf("%s: %s on %s has %.2f:1", scheme, text, ground, c)
				}
			}
		}
		for _, edge := range []string{"event-edge", "now"} {
			if c := contrast(t, colors[edge], colors["page"]); c < 3 {
				t.Errorf("%s: %s has %.2f:1", scheme, edge, c)
			}
		}
	}
	if strings.Contains(pageStyle, "opacity") {
		t.Error("what is not opaque has another contrast than its colour")
	}
}

// contrast is that of two colours as #rrggbb.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(color string) float64 {
		if len(color) != 7 {
			t.Fatalf("no colour: %q", color)
		}
		sum := 0.0
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			c := float64(n) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// TestPageTakesNoScript: what a result holds is text in the page, wherever it stands, and the page has one
// script, which the policy names by its hash.
func TestPageTakesNoScript(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`
	r := pageResult(t, "vector.txtar")
	q := &r.Queries[0]
	q.Type, q.Site = evil, evil+":1:1"
	q.Assumptions = []empire.Assumption{{Kind: evil, Pos: evil, Text: evil}}
	for _, s := range q.Violations() {
		s.Class, s.ID, s.Units = evil, evil, []string{evil, "javascript:alert(3)"}
		for i := range s.Counterexample {
			step := &s.Counterexample[i]
			step.Function, step.Unit, step.Pos = evil, evil, "javascript:alert(4):1:1"
			step.Location += evil
		}
		s.Harm = &empire.Harm{Status: empire.HarmPossible, Start: []string{evil}, Calls: []string{evil}, Actual: evil,
			Expected: []string{evil}}
	}
	for _, o := range []PageOptions{{}, {SourceURL: "javascript:alert(5)//"}} {
		var page bytes.Buffer
		if err := Page(&page, r, o); err != nil {
			t.Fatal(err)
		}
		text := page.String()
		if n := strings.Count(text, "<script"); n != 1 || !strings.Contains(text, "<script>"+pageScript+"</script>") {
			t.Errorf("%d scripts, or not ours", n)
		}
		if bad := regexp.MustCompile(`(?i)<img|href="javascript:|\son\w+="`).FindString(text); bad != "" {
			t.Errorf("the page has %q", bad)
		}
	}
	if !strings.Contains(policy, hashOf(pageScript)) || !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("policy: %s", policy)
	}
}

// TestPageIsSmall: a page with 500 violations stays below 5 MB.
func TestPageIsSmall(t *testing.T) {
	var page bytes.Buffer
	if err := HTML(&page, manyViolationsResult(t, 500)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), `<details class="violation"`); n != 500 {
		t.Errorf("%d violations", n)
	}
	if size := page.Len(); size > 5e6 {
		t.Errorf("500 violations take %d bytes", size)
	}
}

// pageResult reads the result of a case, with its source.
func pageResult(t *testing.T, name string) *empire.Result {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	r, _ := readCase(t, archive)
	return r
}

// manyViolationsResult has so many violations, of several causes: those of two cases under other names.
func manyViolationsResult(t *testing.T, n int) *empire.Result {
	t.Helper()
	r := pageResult(t, "vector.txtar")
	source := pageResult(t, "harm.txtar")
	if err := os.Remove(filepath.Join(source.ModuleRootDir, "result.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(r.ModuleRootDir, os.DirFS(source.ModuleRootDir)); err != nil {
		t.Fatal(err)
	}
	r.ModuleRoot = "github.com/organisation/with-a-module-of-a-long-name-that-fits-on-no-phone"
	templates := append(r.Queries[:1:1], source.Queries...)
	r.Queries = nil
	for made := 0; made < n; {
		q := templates[len(r.Queries)%len(templates)]
		number := len(r.Queries) / len(templates)
		q.Type += strings.Repeat("X", number/4)
		q.Races, q.DataRace = nil, false
		rename := func(text string) string {
			return strings.ReplaceAll(text, ").", fmt.Sprintf(").M%d", number%4))
		}
		var kept []empire.ScenarioResult
		for _, v := range q.Violations() {
			if made == n {
				break
			}
			made++
			v := *v
			v.ID, v.Others, v.Units = fmt.Sprintf("%08x", made), nil, []string{rename(v.Units[0]), rename(v.Units[1])}
			v.Counterexample = append([]empire.Step{}, v.Counterexample...)
			for i := range v.Counterexample {
				v.Counterexample[i].Unit = rename(v.Counterexample[i].Unit)
			}
			kept = append(kept, v)
		}
		q.Scenarios = kept
		r.Queries = append(r.Queries, q)
	}
	return r
}
