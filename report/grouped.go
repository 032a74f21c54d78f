package report

import (
	"fmt"
	"slices"
	"strings"
)

// Grouped makes one line of those that say the same of different things, "Cache: hits: counted one by
// one" and "Store: size: counted one by one", where they are more than a few: it names the first of
// them, Cache, and counts the rest. What is said is what comes behind the last colon.
func Grouped(lines []string) []string {
	const few, named = 3, 5
	count, things := map[string]int{}, map[string][]string{}
	for _, line := range lines {
		thing, said := cutLast(line)
		thing, _, _ = strings.Cut(thing, ": ")
		count[said]++
		if !slices.Contains(things[said], thing) {
			things[said] = append(things[said], thing)
		}
	}
	var all []string
	told := map[string]bool{}
	for _, line := range lines {
		_, said := cutLast(line)
		names := things[said]
		switch {
		case count[said] <= few || len(names) == 1:
			all = append(all, line)
		case told[said]:
		case len(names) <= named:
			all = append(all, fmt.Sprintf("%s (--all lists each): %s", and(names), said))
		default:
			all = append(all, fmt.Sprintf("%s and %d more (--all lists each): %s", strings.Join(names[:named], ", "),
				len(names)-named, said))
		}
		told[said] = true
	}
	return all
}

// cutLast splits a line at its last colon.
func cutLast(line string) (thing, said string) {
	i := strings.LastIndex(line, ": ")
	if i < 0 {
		return "", line
	}
	return line[:i], line[i+2:]
}
