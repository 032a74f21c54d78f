package waitfor

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// program is goroutines that take and release mutexes, with the records that a program makes of that.
type program struct {
	r       *rand.Rand
	steps   [][]int // by goroutine: locks, negative to release
	holder  []int   // by lock; -1: nobody
	waits   []int   // by goroutine: the lock it waits for; -1: none
	records [][]trace.Record
	version []uint64
}

func newProgram(seed uint64) *program {
	p := &program{r: rand.New(rand.NewPCG(seed, 9))}
	locks := 2 + p.r.IntN(3)
	for range locks {
		p.holder, p.version = append(p.holder, -1), append(p.version, 0)
	}
	for range 2 + p.r.IntN(4) {
		var steps []int
		for range 1 + p.r.IntN(3) {
			some := p.r.Perm(locks)[:1+p.r.IntN(2)]
			for _, l := range some {
				steps = append(steps, l+1)
			}
			for _, l := range some {
				steps = append(steps, -l-1)
			}
		}
		p.steps, p.waits, p.records = append(p.steps, steps), append(p.waits, -1), append(p.records, nil)
	}
	return p
}

// run runs the program until nobody can go on.
func (p *program) run() {
	record := func(g int, op trace.Op, lock int, arg uint64) {
		p.records[g] = append(p.records[g], trace.Record{Op: op, Site: uint32(lock + 1), Object: uint32(lock + 1), Arg: arg})
	}
	synced := func(g int, op trace.Op, lock int) {
		record(g, op, lock, p.version[lock])
		p.version[lock]++
	}
	for {
		var ready []int
		for g, steps := range p.steps {
			if len(steps) > 0 && (p.waits[g] < 0 || p.holder[p.waits[g]] < 0) {
				ready = append(ready, g)
			}
		}
		if len(ready) == 0 {
			break
		}
		g := ready[p.r.IntN(len(ready))]
		step := p.steps[g][0]
		switch lock := max(step, -step) - 1; {
		case step < 0:
			p.holder[lock] = -1
			synced(g, trace.Unlock, lock)
		case p.holder[lock] >= 0:
			p.waits[g] = lock
			record(g, trace.Waits, lock, uint64(trace.Lock))
			continue
		default:
			p.holder[lock], p.waits[g] = g, -1
			synced(g, trace.Lock, lock)
		}
		p.steps[g] = p.steps[g][1:]
	}
	for g := range p.steps {
		if len(p.steps[g]) == 0 {
			p.records[g] = append(p.records[g], trace.Record{Op: trace.End})
		}
	}
}

// trace is the record of the run.
func (p *program) trace(t *testing.T) []byte {
	h := trace.Header{Sites: []trace.Site{{}}}
	for range p.holder {
		h.Sites = append(h.Sites, trace.Site{Pos: "a.go:1:1", Kind: "lock", Field: "mu"})
	}
	out, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for g, records := range p.records {
		all := append([]trace.Record{{Op: trace.Start}}, records...)
		block := make([]byte, trace.BlockHeader+len(all)*trace.RecordSize)
		for i, r := range all {
			trace.PutRecord(block[trace.BlockHeader+i*trace.RecordSize:], r)
		}
		trace.SealBlock(block, uint32(g+1), 0)
		out = append(out, block...)
	}
	return trace.AppendEnd(out)
}

// TestRead: who is said to wait, and to wait for each other, is who does in the program.
func TestRead(t *testing.T) {
	circles, waiting := 0, 0
	for seed := range uint64(2000) {
		p := newProgram(seed)
		p.run()
		r, err := Read(bytes.NewReader(p.trace(t)))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Whole {
			t.Fatalf("seed %d: not whole", seed)
		}
		var want, got, wantCircle, gotCircle []int
		for g := range p.steps {
			if p.waits[g] < 0 {
				continue
			}
			want = append(want, g+1)
			at := g
			for range p.steps {
				if at = p.holder[p.waits[at]]; at == g {
					wantCircle = append(wantCircle, g+1)
					break
				}
			}
		}
		for _, g := range r.Waiting {
			got = append(got, int(g.Number))
			if r.IsInCircle(g) {
				gotCircle = append(gotCircle, int(g.Number))
			}
			for _, h := range g.Held {
				if holder := p.holder[p.waits[g.Number-1]]; h.number != uint32(holder+1) {
					t.Fatalf("seed %d: g%d is held up by %s, not by g%d", seed, g.Number, h.By, holder+1)
				}
			}
		}
		if !slices.Equal(want, got) || !slices.Equal(wantCircle, gotCircle) {
			t.Fatalf("seed %d: waiting %v in circles %v, want %v and %v", seed, got, gotCircle, want, wantCircle)
		}
		circles, waiting = circles+len(r.Circles), waiting+len(got)
	}
	t.Logf("%d goroutines wait, %d circles", waiting, circles)
}
