package cpds

import (
	"encoding/binary"
	"sync"

	"github.com/empire-go/empire-go/esl"
)

// monitors keeps the monitors of a model: guesses about goroutines that run the same code
// have the same one, if their actions happen to have the same numbers. It may be used
// concurrently.
type monitors struct {
	mutex sync.Mutex
	kept  map[string]*monitor
}

// maxMonitors is how many monitors are kept.
const maxMonitors = 1 << 12

func newMonitors() *monitors { return &monitors{kept: map[string]*monitor{}} }

// of returns the monitor of a guess.
func (m *monitors) of(g Guess, targets []target, events []event) *monitor {
	seen := g.seen(events)
	key := monitorKey(g, targets, seen)
	m.mutex.Lock()
	known := m.kept[key]
	m.mutex.Unlock()
	if known != nil {
		return known
	}
	made := newMonitor(g, targets, seen)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.kept) < maxMonitors {
		m.kept[key] = made
	}
	return made
}

// monitorKey says all of a guess that its monitor depends on.
func monitorKey(g Guess, targets []target, seen []event) string {
	b := make([]byte, 0, 64+8*len(seen))
	ints := func(all ...int) {
		for _, i := range all {
			b = binary.AppendVarint(b, int64(i))
		}
	}
	is := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	ints(len(targets))
	for _, t := range targets {
		ints(t.scenario, t.pattern.Number, len(t.pattern.Events))
		for _, e := range t.pattern.Events {
			ints(int(e.Unit), int(e.Kind), e.Loc)
		}
	}
	for _, e := range seen {
		ints(e.action, int(g.unit(e.by)), int(e.op))
		if e.op == esl.Access {
			ints(is(e.arg == g.L1), is(e.arg == g.L2), int(e.access), is(e.key == matched))
		}
	}
	return string(b)
}
