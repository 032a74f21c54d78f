package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/internal/suggest"
)

// Patterns is the number of the numbered patterns, 1 to Patterns.
const Patterns = 14

// ByNumber returns the scenario with number n.
func ByNumber(n int) (Scenario, bool) {
	if n < 1 || n > len(Table) {
		return Scenario{}, false
	}
	return Table[n-1], true
}

// ByName returns the scenario with the given name, as "stale-update".
func ByName(name string) (Scenario, bool) {
	for _, s := range Table {
		if s.Name == name {
			return s, true
		}
	}
	return Scenario{}, false
}

// ByPattern returns pattern n, 1 to 14, and the scenario that it belongs to.
func ByPattern(n int) (Scenario, Pattern, bool) {
	for _, s := range Table {
		for _, p := range s.Patterns {
			if p.Number == n && n != 0 {
				return s, p, true
			}
		}
	}
	return Scenario{}, Pattern{}, false
}

// Select returns the scenarios that list asks for, in the order of the table: "all",
// or numbers and names separated by commas, as "1,2,stale-update". The error says what to write.
func Select(list string) ([]Scenario, error) {
	wanted := map[int]bool{}
	for _, word := range words(list) {
		if word == "all" {
			return slices.Clone(Table), nil
		}
		s, ok := ByName(word)
		if n, err := strconv.Atoi(word); err == nil {
			s, ok = ByNumber(n)
		}
		if !ok {
			return nil, noScenario(word)
		}
		wanted[s.Number] = true
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("no scenario given; write numbers from 1 to %d separated by commas, or all", len(Table))
	}
	return filter(func(s Scenario, _ Pattern) bool { return wanted[s.Number] }), nil
}

// noScenario is the error for a word that names none, with the one that may have been meant.
func noScenario(word string) error {
	var names []string
	for _, s := range Table {
		names = append(names, s.Name)
	}
	if meant := suggest.Closest(word, names); meant != "" {
		return fmt.Errorf("no scenario %q; did you mean %s?", word, meant)
	}
	return fmt.Errorf("no scenario %q; write numbers from 1 to %d separated by commas, or all", word, len(Table))
}

// SelectPatterns returns the scenarios that the patterns in list belong to, each
// with only those patterns, in the order of the table. The list is "all", which is every numbered pattern,
// or numbers separated by commas. The error says what to write.
func SelectPatterns(list string) ([]Scenario, error) {
	wanted := map[int]bool{}
	for _, word := range words(list) {
		if word == "all" {
			return slices.Clone(published), nil
		}
		n, err := strconv.Atoi(word)
		if _, _, ok := ByPattern(n); err != nil || !ok {
			return nil, fmt.Errorf("no pattern %q; write numbers from 1 to %d separated by commas, or all", word, Patterns)
		}
		wanted[n] = true
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("no pattern given; write numbers from 1 to %d separated by commas, or all", Patterns)
	}
	return filter(func(_ Scenario, p Pattern) bool { return wanted[p.Number] }), nil
}

// Partial returns the numbers of the patterns in list if a scenario of the list lacks some of
// its patterns, and nil otherwise: then the verdicts hold for whole scenarios.
func Partial(list []Scenario) []int {
	partial := false
	var numbers []int
	for _, s := range list {
		whole, ok := ByNumber(s.Number)
		partial = partial || !ok || len(whole.Patterns) != len(s.Patterns)
		for _, p := range s.Patterns {
			if p.Number != 0 {
				numbers = append(numbers, p.Number)
			}
		}
	}
	if !partial {
		return nil
	}
	return numbers
}

// filter returns the table with only the patterns that keep accepts, and without
// the scenarios that are left with none.
func filter(keep func(Scenario, Pattern) bool) []Scenario {
	var kept []Scenario
	for _, s := range Table {
		var patterns []Pattern
		for _, p := range s.Patterns {
			if keep(s, p) {
				patterns = append(patterns, p)
			}
		}
		if len(patterns) > 0 {
			s.Patterns = patterns
			kept = append(kept, s)
		}
	}
	return kept
}

// words splits a list at its commas. Nothing between two commas is a word too, so
// that it is reported.
func words(list string) []string {
	if strings.TrimSpace(list) == "" {
		return nil
	}
	all := strings.Split(list, ",")
	for i, w := range all {
		all[i] = strings.TrimSpace(w)
	}
	return all
}
