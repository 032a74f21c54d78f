package cooperable

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
)

// TestRaces compares the races of random traces with those by the definition: happens-before is closed over all events,
// and each two conflicting accesses without an order are a race.
func TestRaces(t *testing.T) {
	total := 0
	eachRandom(t, func(text []byte, list []events.Event) {
		r := rand.New(rand.NewPCG(uint64(len(text)), 5))
		index := map[events.Event]int{}
		for i := range list {
			e := &list[i]
			e.Atomic = e.Op == events.Update || e.Op.Kind() == events.Variable && r.IntN(4) == 0
			index[*e] = i
		}
		got := map[string]bool{}
		d := races.New()
		for _, e := range list {
			d.Add(e, func(race races.Race) { got[raceKey(index[race.Second], race.First)] = true })
		}
		want := map[string]bool{}
		before := happensBefore(list)
		for j, e := range list {
			for i, f := range list[:j] {
				if isRace(f, e) && !before[i][j] {
					want[raceKey(j, f)] = true
				}
			}
		}
		total += len(want)
		if !maps.Equal(got, want) {
			t.Errorf("races %v, not %v, in\n%s", got, want, text)
		}
	})
	t.Logf("%d traces, %d races", *traces, total)
}

// raceKey tells races apart by the later event, and the thread and the kind of the earlier one.
func raceKey(second int, first events.Event) string {
	return fmt.Sprint(second, " ", first.Thread, first.Op != events.Read, first.Atomic)
}

func isRace(f, e events.Event) bool {
	return f.Op.Kind() == events.Variable && e.Op.Kind() == events.Variable && f.Object == e.Object &&
		f.Thread != e.Thread && (f.Op != events.Read || e.Op != events.Read) && !(f.Atomic && e.Atomic)
}

// happensBefore tells of each two events whether the first one happens before the second one.
func happensBefore(list []events.Event) [][]bool {
	before := make([][]bool, len(list))
	for i := range before {
		before[i] = make([]bool, len(list))
	}
	for j, e := range list {
		edge := func(i int) {
			before[i][j] = true
			for k := range before {
				before[k][j] = before[k][j] || before[k][i]
			}
		}
		for i, f := range list[:j] {
			if f.Thread == e.Thread || orders(list, i, j) {
				edge(i)
			}
		}
		if i := partner(list, j); i >= 0 {
			edge(i)
		}
	}
	return before
}

// orders tells whether an event is directly before a later one of another thread, but by a message.
func orders(list []events.Event, i, j int) bool {
	f, e := list[i], list[j]
	switch {
	case f.Op == events.Fork && f.Object == uint64(e.Thread), e.Op == events.Join && e.Object == uint64(f.Thread),
		f.Op == events.Fork && e.Op == events.Join && f.Object == e.Object:
		return true
	case f.Op.Kind() != e.Op.Kind() || f.Object != e.Object:
		return false
	}
	switch e.Op {
	case events.Lock:
		return f.Op == events.Unlock || f.Op == events.RUnlock
	case events.RLock:
		return f.Op == events.Unlock
	case events.Wait:
		return f.Op == events.Done
	case events.Postwait:
		return f.Op == events.Notify
	case events.OnceDone:
		return f.Op == events.OnceEnd
	case events.Read, events.Update:
		if !e.Atomic || !f.Atomic || f.Op == events.Read {
			return false
		}
		for _, between := range list[i+1 : j] {
			if between.Object == e.Object && between.Op.Kind() == events.Variable && between.Atomic &&
				between.Op != events.Read {
				return false
			}
		}
		return true
	}
	return false
}

// partner is the send of a receive, the receive of a send that is over, or the close that a receive finds; -1: none.
func partner(list []events.Event, j int) int {
	e := list[j]
	if e.Op != events.Receive && e.Op != events.Postsend {
		return -1
	}
	var messages, met []int
	waiting, closed := 0, -1
	for i, f := range list[:j+1] {
		if f.Op.Kind() != events.Channel || f.Object != e.Object {
			continue
		}
		switch f.Op {
		case events.Send, events.Presend:
			messages = append(messages, i)
			if f.Op == events.Presend {
				waiting++
			}
		case events.Close:
			closed = i
		case events.Receive:
			switch {
			case len(messages) == 0 && i == j:
				return closed
			case len(messages) == 0:
			case i == j:
				return messages[0]
			default:
				messages = messages[1:]
				if waiting > 0 {
					waiting--
					met = append(met, i)
				}
			}
		case events.Postsend:
			if len(met) == 0 {
				break
			}
			if i == j {
				return met[0]
			}
			met = met[1:]
		}
	}
	return -1
}
