package predict

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/predict/order"
	"github.com/empire-go/empire-go/dynamic/predict/random"
)

// steps is a random run as a trace, with one block.
type steps struct {
	all         []random.Step
	first, last int // accesses of the block
	next        []events.Event
	at          int
}

func (s *steps) Place(uint32) events.Place  { return events.Place{} }
func (s *steps) Thread(t uint32) string     { return fmt.Sprintf("T%d", t) }
func (s *steps) Text(e events.Event) string { return fmt.Sprintf("%s(%d)", e.Op, e.Object) }
func (s *steps) Unit() string               { return "event" }

func (s *steps) Next() (events.Event, error) {
	if len(s.next) == 0 {
		if s.at == len(s.all) {
			return events.Event{}, io.EOF
		}
		step := s.all[s.at]
		e := events.Event{Thread: step.Thread, Object: uint64(step.Object), Number: s.at + 1}
		mark := func(op events.Op) {
			s.next = append(s.next, events.Event{Op: op, Thread: step.Thread, Number: s.at + 1})
		}
		if s.at == s.first {
			mark(events.BlockBegin)
		}
		for from, to := range ops {
			if to == step.Op {
				e.Op = from
			}
		}
		s.next = append(s.next, e)
		if s.at == s.last {
			mark(events.BlockEnd)
		}
		s.at++
	}
	e := s.next[0]
	s.next = s.next[1:]
	return e, nil
}

// TestProtected predicts with windows that are smaller than random runs. What is proved all the same is so by an
// enumeration of all interleavings.
func TestProtected(t *testing.T) {
	proved, cut, violations, traces := 0, 0, 0, 0
	for seed := range random.Seeds(3000) {
		traces++
		r := rand.New(rand.NewPCG(seed, 31))
		all := random.Run(r, random.Any(r, 14))
		o := random.NewOracle(all)
		of := o.Threads[r.IntN(len(o.Threads))]
		if len(of) < 2 {
			continue
		}
		from := r.IntN(len(of) - 1)
		to := from + 1 + r.IntN(len(of)-from-1)
		b := &random.Block{Thread: all[of[from]].Thread, Has: map[int]bool{}, Until: map[int]int{}}
		src := &steps{all: all, first: -1, last: -1}
		for _, i := range of[from : to+1] {
			if all[i].Op == order.OpRead || random.Writes(all[i]) {
				b.Has[i] = true
				if src.first < 0 {
					src.first = i
				}
				src.last = i
			}
		}
		if len(b.Has) < 2 {
			continue
		}
		options := Defaults
		options.Window = 4 + r.IntN(8)
		options.NoStatic = r.IntN(4) == 0
		report, err := Run(context.Background(), src, Transactions(), options)
		if err != nil {
			t.Fatal(err)
		}
		violated := o.Violated(b)
		if report.Static+report.Atomic > 0 && violated || report.Violated > 0 && !violated {
			t.Fatalf("seed %d: a violation: %t; %+v\n%v\nblock %v", seed, violated, report, all, b)
		}
		proved, cut, violations = proved+report.Static+report.Atomic, cut+report.Cut, violations+report.Violated
	}
	t.Logf("%d proved, %d not known, %d violations", proved, cut, violations)
	if proved < traces/10 || cut < traces/20 {
		t.Error("too few to say much")
	}
}

// TestProtectedFar has blocks of which something that matters is far outside of the window.
func TestProtectedFar(t *testing.T) {
	far := strings.Repeat("T2|w(z)\n", 40)
	for name, test := range map[string]struct {
		text   string
		proved bool
	}{
		"everybody holds the lock": {"T0|w(x)\nT0|fork(T1)\nT1|acq(L)\nT1|w(x)\nT1|rel(L)\n" + far +
			"T0|begin\nT0|acq(L)\nT0|r(x)\nT0|w(x)\nT0|rel(L)\nT0|end\n" + far, true},
		"later one does not": {"T0|w(x)\nT0|fork(T1)\nT1|acq(L)\nT1|w(x)\nT1|rel(L)\n" +
			"T0|begin\nT0|acq(L)\nT0|r(x)\nT0|w(x)\nT0|rel(L)\nT0|end\n" + far + "T1|w(x)\n", false},
		"readers do not": {"T0|w(x)\nT0|fork(T1)\nT1|racq(L)\nT1|w(x)\nT1|rrel(L)\n" + far +
			"T0|begin\nT0|racq(L)\nT0|w(x)\nT0|r(x)\nT0|rrel(L)\nT0|end\n" + far, false},
		"made before": {"T1|w(x)\nT1|w(v)\nT1|snd(C)\nT0|rcv(C)\n" + far +
			"T0|begin\nT0|r(x)\nT0|r(v)\nT0|end\n" + far, true},
		"made while the block goes on": {"T1|w(y)\nT1|w(x)\nT1|snd(C)\n" + far +
			"T0|begin\nT0|w(y)\nT0|rcv(C)\nT0|r(x)\nT0|end\n" + far, false},
		"looked at when all are done": {"T0|fork(T1)\nT0|acq(L)\nT0|w(x)\nT0|rel(L)\n" + far +
			"T1|begin\nT1|acq(L)\nT1|r(x)\nT1|w(x)\nT1|rel(L)\nT1|end\n" + far + "T0|join(T1)\nT0|w(x)\n", true},
		"and before": {"T0|fork(T1)\nT0|acq(L)\nT0|w(x)\nT0|rel(L)\n" + far +
			"T1|begin\nT1|acq(L)\nT1|r(x)\nT1|w(x)\nT1|rel(L)\nT1|end\n" + far + "T0|w(x)\nT0|join(T1)\nT0|w(x)\n",
			false},
		"one's own until it is done": {"T0|fork(T1)\n" + far +
			"T1|begin\nT1|r(x)\nT1|w(x)\nT1|end\n" + far + "T0|join(T1)\nT0|w(x)\n", true},
		"written by the end of the block": {"T1|w(y)\nT1|r(x)\nT0|r(x)\n" + far +
			"T0|begin\nT0|r(y)\nT0|w(x)\nT0|end\n" + far + "T1|w(y)\nT1|r(x)\n", false},
	} {
		o := Defaults
		o.Window = 16
		r := std(t, test.text, o)
		if proved := r.Static+r.Atomic == 1; r.Blocks != 1 || r.Violated > 0 || proved != test.proved {
			t.Errorf("%s: proved %t; %+v", name, proved, r)
		}
		o.Window = 1 << 16
		if r := std(t, test.text, o); (r.Violated == 0) != test.proved {
			t.Errorf("%s: with all in the window: %+v", name, r)
		}
	}
}
