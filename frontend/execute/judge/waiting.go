package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/execute"
)

// NotKept claims of locks that nobody waits for one of them for ever, that they are not left held, and that only who
// holds one releases it.
type NotKept struct {
	Name string // of the locks, in words
	Is   func(execute.Place) bool
}

func (f NotKept) String() string { return "nobody waits for ever for " + f.Name }

func (f NotKept) watch(r *run, c *claim) {
	r.ends = append(r.ends, func(why string, all []execute.Goroutine) {
		for _, g := range all {
			f.judge(c, why, g, all)
		}
	})
	r.access = append(r.access, func(_ execute.Goroutine, p execute.Place, kind int) {
		if kind == execute.ReadModifyWrite && c.checks == 0 && p.IsLock() && f.Is(p) {
			c.holds("")
		}
	})
}

// judge looks at one goroutine at the end of a run.
func (f NotKept) judge(c *claim, why string, g execute.Goroutine, all []execute.Goroutine) {
	lock, waits := g.WaitsFor()
	switch {
	case strings.Contains(why, "nlock of unlocked"):
		if g.IsDone() && waits && f.Is(lock) {
			c.holds(fmt.Sprintf("goroutine %d releases %v, which is not held", g.Number(), lock))
		}
		return
	case why != "deadlock" && why != "":
		return
	case waits && f.Is(lock) && (why == "deadlock" || waitsForItself(g, all)):
		c.holds(fmt.Sprintf("goroutine %d waits for %v, and nobody can go on:\n%s", g.Number(), lock, states(all)))
	}
	for _, lock := range g.Locks() {
		if (g.IsDone() || why == "deadlock") && f.Is(lock) {
			c.holds(fmt.Sprintf("goroutine %d keeps %v:\n%s", g.Number(), lock, states(all)))
		}
	}
}

// waitsForItself tells whether a goroutine is on a cycle of those of which each waits for a lock that the next one
// holds.
func waitsForItself(from execute.Goroutine, all []execute.Goroutine) bool {
	seen := map[execute.Goroutine]bool{}
	for queue := []execute.Goroutine{from}; len(queue) > 0; queue = queue[1:] {
		lock, waits := queue[0].WaitsFor()
		if !waits {
			continue
		}
		for _, g := range all {
			if !slices.Contains(g.Locks(), lock) {
				continue
			}
			if g == from {
				return true
			}
			if !seen[g] {
				seen[g] = true
				queue = append(queue, g)
			}
		}
	}
	return false
}

// NobodyWaits claims that no run comes to where nobody can go on.
type NobodyWaits struct{}

func (f NobodyWaits) String() string { return "no goroutine waits for ever" }

func (f NobodyWaits) watch(r *run, c *claim) {
	r.ends = append(r.ends, func(why string, all []execute.Goroutine) {
		if why == "deadlock" {
			c.holds("nobody can go on:\n" + states(all))
		} else {
			c.holds("")
		}
	})
}

// states tells what goroutines wait for and hold.
func states(all []execute.Goroutine) string {
	var text strings.Builder
	for _, g := range all {
		fmt.Fprintf(&text, "\t\tgoroutine %d", g.Number())
		if g.IsDone() {
			text.WriteString(" has ended")
		}
		if lock, ok := g.WaitsFor(); ok {
			fmt.Fprintf(&text, " waits for %v", lock)
		}
		for _, lock := range g.Locks() {
			fmt.Fprintf(&text, ", holds %v", lock)
		}
		if top, ok := g.Top(); ok {
			fmt.Fprintf(&text, ", in %v", top)
		}
		text.WriteString("\n")
	}
	return strings.TrimSuffix(text.String(), "\n")
}
