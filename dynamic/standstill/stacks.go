package standstill

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// ending is how a run ended.
type ending struct {
	output string
	stacks []stack
}

// stack is a goroutine when nothing happened any more.
type stack struct {
	number, status string
	places         []string // file:line of its calls, the innermost first
}

var (
	header = regexp.MustCompile(`^goroutine (\d+)(?: gp=\S+ m=\S+(?: mp=\S+)?)? \[([^\],]+)`)
	call   = regexp.MustCompile(`^\t(.+\.go:\d+)`)
)

// parseStacks reads what the runtime prints of all goroutines.
func parseStacks(text string) (all []stack) {
	for part := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Split(part, "\n")
		m := header.FindStringSubmatch(lines[0])
		if m == nil {
			continue
		}
		s := stack{number: m[1], status: m[2]}
		for _, l := range lines[1:] {
			if m := call.FindStringSubmatch(l); m != nil {
				s.places = append(s.places, filepath.ToSlash(m[1]))
			}
		}
		all = append(all, s)
	}
	return all
}

// waits tells whether a goroutine waits for others.
func (s stack) waits() bool {
	switch s.status {
	case "running", "runnable", "syscall", "sleep", "IO wait":
		return false
	}
	return true
}

// isAt tells whether one of the calls of a goroutine is at a place, which is relative to the module.
func (s stack) isAt(pos string) bool {
	parts := strings.Split(pos, ":")
	if len(parts) < 2 {
		return false
	}
	place := "/" + parts[0] + ":" + parts[1]
	for _, p := range s.places {
		if strings.HasSuffix(p, place) {
			return true
		}
	}
	return false
}

// panics is what the runtime says where an operation ends the program.
var panics = []string{"send on closed channel", "close of closed channel", "negative WaitGroup counter",
	"unlock of unlocked", "RUnlock of unlocked"}

// shows tells whether the run has shown a finding, and how; "" if not.
func (e *ending) shows(f *empire.BlockingFinding) string {
	if f.Class == "order" {
		for _, text := range panics {
			name := f.Waits[0].Function[strings.LastIndexByte(f.Waits[0].Function, '.')+1:]
			if strings.Contains(e.output, text) && (strings.Contains(e.output, "/"+lineOf(f.Waits[0].Pos)) ||
				strings.Contains(e.output, "."+name+"(")) { // a deferred call is where the function returns
				return "It ended with: " + text + "."
			}
		}
		return ""
	}
	taken := map[string]bool{}
	var told []string
	for _, w := range f.Waits {
		found := false
		for _, s := range e.stacks {
			if !taken[s.number] && s.waits() && s.isAt(w.Pos) {
				taken[s.number], found = true, true
				told = append(told, fmt.Sprintf("goroutine %s [%s] at %s", s.number, s.status, lineOf(w.Pos)))
				break
			}
		}
		if !found {
			return ""
		}
	}
	return "There were " + strings.Join(told, ", ") + "."
}

// lineOf returns a position without its column.
func lineOf(pos string) string {
	if i := strings.LastIndexByte(pos, ':'); strings.Count(pos, ":") > 1 && i > 0 {
		return pos[:i]
	}
	return pos
}
