package units

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// journal is a sink that notes which goroutines units start and wait for.
type journal struct {
	numbers map[*automata.Unit]int
	lines   []string
}

func (j *journal) Begin(goroutine uint32, data any) *automata.Unit {
	u := &automata.Unit{Data: data}
	j.numbers[u] = len(j.numbers)
	return u
}

func (j *journal) note(what string, u *automata.Unit, child uint32) {
	j.lines = append(j.lines, fmt.Sprintln(what, j.numbers[u], child))
}

func (j *journal) Access(u *automata.Unit, _ automata.Access) { j.note("access", u, 0) }
func (j *journal) Fork(u *automata.Unit, child uint32)        { j.note("fork", u, child) }
func (j *journal) Join(u *automata.Unit, child uint32)        { j.note("join", u, child) }
func (j *journal) End(u *automata.Unit)                       { j.note("end", u, 0) }

// TestReleased gives the same records to a tracker and to one that takes nobody for awaited because he was before: both
// join the same goroutines.
func TestReleased(t *testing.T) {
	header := &trace.Header{Sites: []trace.Site{{}, {Kind: string(watch.Method), Function: "f"},
		{Kind: string(watch.Direct), Function: "f"}, {Kind: string(watch.Method), Function: "g"},
		{Function: "f", Field: "a", Pos: "p"}, {Function: "g", Field: "b", Pos: "q"}}}
	plan := &watch.Plan{Sets: []watch.Set{{Type: "p.T", Fields: []string{"a", "b"}}}}
	often := []trace.Op{trace.Read, trace.Write, trace.Go, trace.Send, trace.Recv, trace.Done, trace.Wait, trace.Close,
		trace.UnitBegin, trace.UnitEnd, trace.UnitSplit, trace.Worked, trace.End, trace.ObjectGone}
	joins := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 5))
		var trackers [2]*Tracker
		var journals [2]*journal
		for i := range trackers {
			journals[i] = &journal{numbers: map[*automata.Unit]int{}}
			trackers[i] = New(header, plan, journals[i])
			trackers[i].ahead = trackers[i].ahead[:1]
			trackers[i].most = 1
		}
		many := 3 + r.IntN(6)
		for range 300 {
			e := trace.Event{Goroutine: uint32(1 + r.IntN(many)), Record: trace.Record{Op: often[r.IntN(len(often))],
				Object: uint32(2 + r.IntN(4))}}
			switch e.Op {
			case trace.Read, trace.Write:
				e.Site = uint32(4 + r.IntN(2))
			case trace.UnitBegin, trace.UnitSplit:
				e.Site = uint32(1 + r.IntN(3))
			case trace.Go:
				e.Arg = uint64(1 + r.IntN(many))
			case trace.End, trace.ObjectGone:
				if r.IntN(10) > 0 {
					continue
				}
			}
			for i, tracker := range trackers {
				tracker.released += uint64(i)
				tracker.Add(e)
			}
		}
		for _, tracker := range trackers {
			tracker.Close()
		}
		if !slices.Equal(journals[0].lines, journals[1].lines) {
			t.Fatalf("seed %d: %d lines, not %d", seed, len(journals[0].lines), len(journals[1].lines))
		}
		for _, line := range journals[0].lines {
			if line[:4] == "join" {
				joins++
			}
		}
	}
	if joins < 300 {
		t.Errorf("only %d joins", joins)
	}
}
