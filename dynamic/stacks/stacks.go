// Package stacks reads what the runtime prints of goroutines: their states, and the calls that they are in.
package stacks

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Goroutine is a goroutine as the runtime prints it.
type Goroutine struct {
	Number string
	Status string   // "chan send", "sync.Mutex.Lock", "running"
	Leaked bool     // the runtime's leak profile has found that nothing which runs can let it go on
	Places []string // file:line of its calls, the innermost first, then of its go statement
}

// leaked is how the runtime marks a status.
const leaked = " (leaked)"

var (
	header = regexp.MustCompile(`^goroutine (\d+)(?: gp=\S+ m=\S+(?: mp=\S+)?)? \[([^\],]+)`)
	call   = regexp.MustCompile(`^\t(.+\.go:\d+)`)
)

// Parse reads the goroutines in a text; what is none is left out.
func Parse(text string) (all []Goroutine) {
	for part := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(part, "\n")
		m := header.FindStringSubmatch(lines[0])
		if m == nil {
			continue
		}
		status, isLeaked := strings.CutSuffix(m[2], leaked)
		g := Goroutine{Number: m[1], Status: status, Leaked: isLeaked}
		for _, l := range lines[1:] {
			if m := call.FindStringSubmatch(l); m != nil {
				g.Places = append(g.Places, filepath.ToSlash(m[1]))
			}
		}
		all = append(all, g)
	}
	return all
}

// Waits tells whether a goroutine waits for others.
func (g Goroutine) Waits() bool {
	switch g.Status {
	case "running", "runnable", "syscall", "sleep", "IO wait":
		return false
	}
	return true
}

// IsAt tells whether one of the calls of a goroutine is at a place: a file relative to the module, a line, and
// perhaps a column, as file.go:12:4.
func (g Goroutine) IsAt(pos string) bool {
	place := "/" + LineOf(pos)
	return strings.Contains(pos, ":") && slices.ContainsFunc(g.Places, func(p string) bool {
		return strings.HasSuffix(p, place)
	})
}

// LineOf is a position, as file.go:12:4, without its column, if it has one.
func LineOf(pos string) string {
	if i := strings.LastIndexByte(pos, ':'); strings.Count(pos, ":") > 1 {
		return pos[:i]
	}
	return pos
}

// IsWithin tells whether one of the calls of a goroutine is in some lines of a file relative to the module, as
// file.go:12-14.
func (g Goroutine) IsWithin(lines string) bool {
	file, numbers, _ := strings.Cut(lines, ":")
	first, last := 0, 0
	if _, err := fmt.Sscanf(numbers, "%d-%d", &first, &last); err != nil {
		return false
	}
	return slices.ContainsFunc(g.Places, func(p string) bool {
		place, number, _ := strings.Cut(p, ".go:")
		n, err := strconv.Atoi(number)
		return err == nil && strings.HasSuffix(place+".go", "/"+file) && first <= n && n <= last
	})
}

// Place returns the innermost call that is not in the standard library; "" if there is none.
func (g Goroutine) Place() string {
	for _, p := range g.Places {
		if !strings.Contains(p, "/src/runtime/") && !strings.Contains(p, "/src/sync/") &&
			!strings.Contains(p, "/src/internal/") {
			return p
		}
	}
	return ""
}
