package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// selection writes scenarios with their patterns, as "6:6,7 12:36 unnumbered".
func selection(list []Scenario) string {
	var words []string
	for _, s := range list {
		var numbers []string
		for _, p := range s.Patterns {
			if p.Number == 0 {
				numbers = []string{fmt.Sprintf("%d unnumbered", len(s.Patterns))}
				break
			}
			numbers = append(numbers, fmt.Sprint(p.Number))
		}
		words = append(words, fmt.Sprintf("%d:%s", s.Number, strings.Join(numbers, ",")))
	}
	return strings.Join(words, " ")
}

func TestSelect(t *testing.T) {
	all := "1:1 2:2 3:3 4:4 5:5 6:6,7 7:8 8:9,10 9:11,12 10:13 11:14"
	everything := all + fmt.Sprintf(" 12:%d unnumbered", len(Table[11].Patterns))
	for _, c := range []struct {
		parse      func(string) ([]Scenario, error)
		list, want string
	}{
		{Select, "all", everything},
		{Select, "9", "9:11,12"},
		{Select, " 9 , 1,9", "1:1 9:11,12"},
		{Select, "inconsistent-write,1", "1:1 6:6,7"},
		{Select, "1,all", everything},
		{Select, "", "error"},
		{Select, "0", "error"},
		{Select, "13", "error"},
		{Select, "-1", "error"},
		{Select, "1,", "error"},
		{Select, "nine", "error"},
		{SelectPatterns, "all", all},
		{SelectPatterns, "11", "9:11"},
		{SelectPatterns, "12,7,11", "6:7 9:11,12"},
		{SelectPatterns, "0", "error"},
		{SelectPatterns, "15", "error"},
		{SelectPatterns, "x", "error"},
		{SelectPatterns, "", "error"},
	} {
		selected, err := c.parse(c.list)
		got := selection(selected)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%q: %s (%v), want %s", c.list, got, err, c.want)
		}
	}
}

func TestMeant(t *testing.T) {
	_, err := Select("1,stale_update")
	if want := `no scenario "stale_update"; did you mean stale-update?`; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestPartial(t *testing.T) {
	for list, want := range map[string]string{"11": "[11]", "11,12": "[]", "6": "[6]", "1,7": "[1 7]"} {
		selected, err := SelectPatterns(list)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(Partial(selected)); got != want {
			t.Errorf("%s: %s, want %s", list, got, want)
		}
	}
	if got := Partial(Table); got != nil {
		t.Errorf("the table: %v", got)
	}
}

// TestTable checks the table against what the papers say about it.
func TestTable(t *testing.T) {
	seen := map[string]int{}
	next := 1
	for i, s := range Table {
		if s.Number != i+1 || s.Name == "" || s.Harm == "" || len(s.Example) < 3 {
			t.Errorf("scenario %d at %d: incomplete", s.Number, i)
		}
		if byName, ok := ByName(s.Name); !ok || byName.Number != s.Number {
			t.Errorf("scenario %d: not found by its name", s.Number)
		}
		for _, l := range s.Example {
			if !strings.HasPrefix(l, "1: ") && !strings.HasPrefix(l, "2: ") {
				t.Errorf("scenario %d: example line %q belongs to nobody", s.Number, l)
			}
		}
		for _, p := range s.Patterns {
			if s.Number != ConflictCycle {
				if of, q, ok := ByPattern(next); !ok || of.Number != s.Number || q.Number != p.Number || p.Number != next {
					t.Errorf("pattern %d: out of order", p.Number)
				}
				next++
			}
			if other, ok := seen[p.String()]; ok {
				t.Errorf("%s is in scenarios %d and %d", p, other, s.Number)
			}
			seen[p.String()] = s.Number
			checkPattern(t, s, p)
		}
	}
	if next != Patterns+1 {
		t.Errorf("%d numbered patterns, want %d", next-1, Patterns)
	}
}

// checkPattern checks that no serial order of the two units explains the pattern:
// u must come before u' and u' before u.
func checkPattern(t *testing.T, s Scenario, p Pattern) {
	before := map[Unit]bool{}
	for i, e := range p.Events {
		for _, f := range p.Events[i+1:] {
			if e.Unit != f.Unit && e.Loc == f.Loc && (e.Kind == Write || f.Kind == Write) {
				before[e.Unit] = true
			}
		}
	}
	if !before[U] || !before[V] {
		t.Errorf("scenario %d, %s: a serial order explains it", s.Number, p)
	}
	if s.Number != ConflictCycle && p.Events[0].Unit != U {
		t.Errorf("scenario %d, %s: does not begin with u", s.Number, p)
	}
	if s.Number != ConflictCycle && p.Events[0].Loc != 1 {
		t.Errorf("scenario %d, %s: does not begin with l1", s.Number, p)
	}
}

// TestConflictCycles counts: the cycles over two locations are the numbered
// patterns of two locations and those of scenario 12, up to names.
func TestConflictCycles(t *testing.T) {
	all := map[string]bool{}
	for _, s := range Table {
		for _, p := range s.Patterns {
			if p.Locations() == 2 {
				all[canonical(p)] = true
			}
		}
	}
	want := 0
	kinds := []Kind{Read, Write}
	for _, order := range permutations([]int{0, 1, 2, 3}) {
		for bits := range 16 {
			kind := func(i int) Kind { return kinds[bits>>i&1] }
			four := []Event{{U, kind(0), 1}, {V, kind(1), 1}, {V, kind(2), 2}, {U, kind(3), 2}}
			p := Pattern{}
			for _, i := range order {
				p.Events = append(p.Events, four[i])
			}
			conflict := kind(0)+kind(1) > 0 && kind(2)+kind(3) > 0
			if conflict && slices.Index(order, 0) < slices.Index(order, 1) && slices.Index(order, 2) < slices.Index(order, 3) {
				if want++; !all[canonical(p)] {
					t.Errorf("%s is a conflict cycle and in no scenario", p)
				}
			}
		}
	}
	if want != 9*6 {
		t.Errorf("%d conflict cycles enumerated, want 54", want)
	}
}

// canonical names the first event's unit u and its location l1.
func canonical(p Pattern) string {
	q := Pattern{}
	for _, e := range p.Events {
		if p.Events[0].Unit == V {
			e.Unit = V - e.Unit
		}
		if p.Events[0].Loc == 2 {
			e.Loc = 3 - e.Loc
		}
		q.Events = append(q.Events, e)
	}
	return q.String()
}

func permutations(of []int) [][]int {
	if len(of) == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for i, first := range of {
		rest := slices.Delete(slices.Clone(of), i, i+1)
		for _, p := range permutations(rest) {
			all = append(all, append([]int{first}, p...))
		}
	}
	return all
}

// TestConsequence checks that each scenario has one, with all names filled in.
func TestConsequence(t *testing.T) {
	for _, s := range Table {
		text := s.Consequence("Load", "Store", "count", "data")
		if text == "" || strings.ContainsAny(text, "{}") {
			t.Errorf("scenario %d: %q", s.Number, text)
		}
		if s.Patterns[0].Locations() == 1 && strings.Contains(text, "data") {
			t.Errorf("scenario %d has one location: %q", s.Number, text)
		}
	}
}
