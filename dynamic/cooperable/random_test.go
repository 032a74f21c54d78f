package cooperable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
)

// random is a random trace in the STD format with all kinds of events. Locks are held by those who release
// them, messages are received after they were sent, threads run between their fork and their join; all else is
// as it comes.
func random(r *rand.Rand, length int) []byte {
	var (
		out       bytes.Buffer
		threads   = 2 + r.IntN(4)
		locks     = 1 + r.IntN(2)
		channels  = 1 + r.IntN(2)
		variables = 1 + r.IntN(4)
		yields    = r.IntN(20)
		blocks    = make([]int, threads)
		holder    = map[int]int{} // of a lock; -1: some read it
		readers   = map[int]map[int]bool{}
		waits     = map[int]int{} // threads that wait: the lock
		meets     = map[int]int{} // threads in a send: the channel
		taken     = map[int]bool{}
		queue     = map[int]int{}
		offers    = map[int][]int{} // by channel: threads in a send that is not taken
		closed    = map[int]bool{}
		live      = []int{0}
		started   = 1
	)
	emit := func(t int, format string, args ...any) {
		fmt.Fprintf(&out, "T%d|%s|%d\n", t, fmt.Sprintf(format, args...), r.IntN(12))
	}
	for range length {
		i := r.IntN(len(live))
		t, l, c := live[i], r.IntN(locks), r.IntN(channels)
		room := fmt.Sprintf("B%d", c)
		if l, ok := waits[t]; ok {
			if holder[l] == 0 && len(readers[l]) == 0 {
				emit(t, "postwait(L%d)", l)
				holder[l] = t + 1
				delete(waits, t)
			}
			continue
		}
		if c, ok := meets[t]; ok {
			if taken[t] {
				emit(t, "postsnd(U%d)", c)
				delete(meets, t)
				delete(taken, t)
			}
			continue
		}
		switch k := r.IntN(100); {
		case k < yields:
			emit(t, "yield")
		case k < 22:
			emit(t, "w(V%d)", r.IntN(variables))
		case k < 45:
			emit(t, "r(V%d)", r.IntN(variables))
		case k < 55:
			switch {
			case holder[l] == t+1 && r.IntN(4) == 0:
				emit(t, "prewait(L%d)", l)
				holder[l], waits[t] = 0, l
			case holder[l] == t+1:
				emit(t, "rel(L%d)", l)
				holder[l] = 0
			case readers[l][t]:
				emit(t, "rrel(L%d)", l)
				delete(readers[l], t)
			case holder[l] == 0 && r.IntN(2) == 0:
				emit(t, "racq(L%d)", l)
				if readers[l] == nil {
					readers[l] = map[int]bool{}
				}
				readers[l][t] = true
			case holder[l] == 0 && len(readers[l]) == 0:
				emit(t, "acq(L%d)", l)
				holder[l] = t + 1
			}
		case k < 58:
			emit(t, "notify(L%d)", l)
		case k < 64:
			emit(t, "snd(%s)", room)
			queue[c]++
		case k < 70:
			if queue[c] > 0 {
				queue[c]--
				emit(t, "rcv(%s)", room)
			}
		case k < 75:
			emit(t, "presnd(U%d)", c)
			meets[t] = c
			offers[c] = append(offers[c], t)
		case k < 82:
			if len(offers[c]) > 0 {
				taken[offers[c][0]] = true
				offers[c] = offers[c][1:]
				emit(t, "rcv(U%d)", c)
			}
		case k < 83:
			if closed[c] {
				emit(t, "rcv(Q%d)", c)
			} else {
				emit(t, "cls(Q%d)", c)
				closed[c] = true
			}
		case k < 86:
			emit(t, "begin")
			blocks[t]++
		case k < 90:
			if blocks[t] > 0 {
				emit(t, "end")
				blocks[t]--
			}
		case k < 96:
			if started < threads {
				emit(t, "fork(T%d)", started)
				live = append(live, started)
				started++
			}
		default:
			if j := r.IntN(len(live)); j != i && live[j] != 0 && blocks[live[j]] == 0 {
				if _, waiting := waits[live[j]]; waiting {
					continue
				}
				if _, sending := meets[live[j]]; sending {
					continue
				}
				emit(t, "join(T%d)", live[j])
				live = append(live[:j], live[j+1:]...)
			}
		}
	}
	for t, n := range blocks {
		for range n {
			emit(t, "end")
		}
	}
	return out.Bytes()
}

// source is a trace in the STD format.
func source(t testing.TB, text []byte) events.Source {
	t.Helper()
	s, err := events.STD(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil })
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func all(t testing.TB, text []byte) (list []events.Event) {
	t.Helper()
	s := source(t, text)
	for {
		e, err := s.Next()
		if cut := (*events.CutError)(nil); err == io.EOF || errors.As(err, &cut) { // locks may be held at the end
			return list
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		list = append(list, e)
	}
}

// oracle finds the events that close a cycle, by the definition: transactions between yields, edges from all
// pairs of events that conflict, a search after each event; edges to an event that closes a cycle
// are not added. yields are those besides the trace's own, by the index of the event behind them.
func oracle(list []events.Event, yields map[int]bool) (bad []int) {
	var (
		of      []int              // by event: its transaction
		current = map[uint32]int{} // by thread
		blocks  = map[uint32]int{}
		edges   []map[int]bool
	)
	for i, e := range list {
		last, begun := current[e.Thread]
		if !begun || blocks[e.Thread] == 0 && e.Yields() || yields[i] {
			n := len(edges)
			edges = append(edges, map[int]bool{})
			if begun {
				edges[last][n] = true
			}
			current[e.Thread] = n
		}
		switch e.Op {
		case events.BlockBegin:
			blocks[e.Thread]++
		case events.BlockEnd:
			blocks[e.Thread]--
		}
		n := current[e.Thread]
		of = append(of, n)
		before := map[int]bool{}
		from := 0
		if events.Table[e.Op].Ends { // what came before its beginning concerns that
			for j, f := range list[:i] {
				a, b := events.Table[f.Op], events.Table[e.Op]
				if f.Thread == e.Thread && f.Object == e.Object && a.Kind == b.Kind &&
					(a.Mode == b.Mode || a.Mode == events.Change) {
					from = j
				}
			}
		}
		for j, f := range list[from:i] {
			if f.Thread != e.Thread && events.Conflict(f, e) {
				before[of[from+j]] = true
			}
		}
		reached := reach(edges, n)
		closes := false
		for b := range before {
			closes = closes || reached[b]
		}
		if closes {
			bad = append(bad, i)
			continue
		}
		for b := range before {
			edges[b][n] = true
		}
	}
	return bad
}

func reach(edges []map[int]bool, from int) map[int]bool {
	reached := map[int]bool{}
	queue := []int{from}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for m := range edges[n] {
			if !reached[m] {
				reached[m] = true
				queue = append(queue, m)
			}
		}
	}
	return reached
}

// found are the indexes of the events that the checker reports.
func found(list []events.Event, o Options) (bad []int) {
	at := 0
	o.Found = func(v Violation) { bad = append(bad, at) }
	c := New(o)
	for i, e := range list {
		at = i
		c.Add(e)
	}
	return bad
}
