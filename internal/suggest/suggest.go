// Package suggest finds what somebody may have meant who wrote a name that does not exist.
package suggest

import "strings"

// Closest returns the choice that is the fewest edits away from the word: insertions, deletions,
// changes and swaps of neighbours (the optimal string alignment distance). If none is near, with more than one
// edit for each three letters, it is the only choice that has the word in it; "" if there is no such one.
func Closest(word string, choices []string) string {
	closest, least := "", (len(word)+2)/3+1
	if len(word) < 2 {
		return ""
	}
	for _, c := range choices {
		if d := distance(word, c); d < least {
			closest, least = c, d
		}
	}
	if closest != "" || len(word) < 3 {
		return closest
	}
	for _, c := range choices {
		switch {
		case !strings.Contains(c, word):
		case closest != "":
			return ""
		default:
			closest = c
		}
	}
	return closest
}

// distance is the number of edits from a to b, by dynamic programming over their prefixes.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
