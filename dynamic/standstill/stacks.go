package standstill

import (
	"fmt"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/stacks"
)

// ending is how a run ended.
type ending struct {
	output string
	stacks []stacks.Goroutine
}

// panics is what the runtime says where an operation ends the program.
var panics = []string{"send on closed channel", "close of closed channel", "close of nil channel",
	"negative WaitGroup counter", "unlock of unlocked", "RUnlock of unlocked", "nil pointer dereference",
	"assignment to entry in nil map", "Fail in goroutine after", "Log in goroutine after"}

// shows tells whether the run has shown a finding, and how; "" if not.
func (e *ending) shows(f *empire.BlockingFinding) string {
	if f.Class == dataRace {
		return e.showsRace(f)
	}
	if f.Class == "order" && !f.EitherFirst {
		for _, text := range panics {
			name := runtimeName(f.Waits[0].Function)
			if strings.Contains(e.output, text) && (strings.Contains(e.output, "/"+stacks.LineOf(f.Waits[0].Pos)) ||
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
			isThere := (s.Waits() || f.EitherFirst) && s.IsAt(w.Pos) || w.Loop != "" && s.IsWithin(w.Loop)
			if !taken[s.Number] && isThere {
				taken[s.Number], found = true, true
				told = append(told, fmt.Sprintf("goroutine %s [%s] at %s", s.Number, s.Status, stacks.LineOf(w.Pos)))
				break
			}
		}
		if !found {
			return ""
		}
	}
	return "There were " + strings.Join(told, ", ") + "."
}

// runtimeName is what the runtime calls a function, without what it is part of: a literal in main, main$1, is
// main.func1, and one in that main.func1.1.
func runtimeName(function string) string {
	name := function[strings.LastIndexByte(function, '.')+1:]
	return strings.ReplaceAll(strings.Replace(name, "$", ".func", 1), "$", ".")
}

// showsRace tells whether the race detector has reported two accesses.
func (e *ending) showsRace(f *empire.BlockingFinding) string {
	for part := range strings.SplitSeq(e.output, "==================") {
		accesses, _, _ := strings.Cut(part, "\nGoroutine ") // then it says where these were started
		one, other, isRace := strings.Cut(accesses, "\nPrevious ")
		if !isRace || !strings.Contains(one, "WARNING: DATA RACE") {
			continue
		}
		at := func(text string, i int) bool { return strings.Contains(text, "/"+stacks.LineOf(f.Waits[i].Pos)+" ") }
		if at(one, 0) && at(other, 1) || at(one, 1) && at(other, 0) {
			return fmt.Sprintf("The race detector has seen it, at %s and %s.", stacks.LineOf(f.Waits[0].Pos),
				stacks.LineOf(f.Waits[1].Pos))
		}
	}
	return ""
}
