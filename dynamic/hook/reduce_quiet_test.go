package hook

import (
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// TestTogether lets goroutines be quiet at the same time, and wake each other: the trace is whole, nobody waits for
// ever, and there is a match where, and only where, units have two critical sections or go without the lock.
func TestTogether(t *testing.T) {
	inOneCycle(t)
	for _, test := range []together{{"locked", 0, 0, 0, 0, false}, {"twice", 20, 0, 0, 0, true},
		{"unlocked", 0, 5, 0, 0, true}, {"readers", 0, 0, 80, 0, false}, {"all", 10, 2, 60, 0, true},
		{"inner", 0, 0, 20, 90, false}, {"inner twice", 30, 0, 0, 90, true}, {"inner unlocked", 0, 10, 0, 90, true}} {
		t.Run(test.name, func(t *testing.T) {
			found, isWhole := test.run(t)
			for range 9 { // they may have run one after the other
				if test.matches && isWhole && len(found) == 0 {
					found, isWhole = test.run(t)
				}
			}
			if !isWhole || len(found) > 0 != test.matches {
				t.Errorf("the trace is whole: %t; matches: %q", isWhole, found)
			}
		})
	}
}

// together is what goroutines do.
type together struct {
	name                    string
	twice, unlocked, seldom int // of 100 units, and whether others may look at the same time
	inner                   int // and whether they are in a critical section of another lock
	matches                 bool
}

// run lets four goroutines do so, and returns what matches, and whether the trace is whole.
func (test together) run(t *testing.T) (found []string, isWhole bool) {
	s := newSample(true)
	file := record(t)
	defer os.Remove(file.Name())
	defer file.Close()
	setTable(s.table)
	defer setTable(nil)
	mutex, outer, things := new(sync.RWMutex), new(sync.RWMutex), []*thing{new(thing), new(thing), new(thing)}
	main := &Goroutine{number: 1}
	main.record(trace.Start, 0, 0, 0)
	var wg sync.WaitGroup
	for n := range 4 {
		c := main.Fork(s.lock)
		wg.Go(func() {
			g, r := &Goroutine{number: c.number}, rand.New(rand.NewPCG(uint64(n), 1))
			g.record(trace.Start, 0, 0, uint64(c.parent))
			for range 3000 {
				isInner, changes := r.IntN(100) < test.inner, r.IntN(10) == 0
				if isInner {
					begins(s, g, outer, things[2], changes)
				}
				unit(s, g, r, mutex, things[:2], r.IntN(100) < test.twice, r.IntN(100) < test.unlocked,
					r.IntN(100) < test.seldom)
				if isInner {
					ends(s, g, outer, things[2], changes)
				}
			}
			g.speaks()
			g.record(trace.End, 0, 0, 0)
			g.flush()
		})
	}
	wg.Wait()
	main.speaks()
	main.record(trace.End, 0, 0, 0)
	main.flush()
	found, _, isWhole = s.matches(t, s.recorded(t, file, true))
	return found, isWhole
}

// unit is a method of an object that accesses its fields.
func unit(s *sample, g *Goroutine, r *rand.Rand, mutex *sync.RWMutex, things []*thing, twice, unlocked, looks bool) {
	o := things[r.IntN(len(things))]
	UnitOn(g, o, Ref(s.frames[1])|thingClass<<24)
	UnitOn(g, o, Ref(s.third[1])|thingClass<<24)
	for i := range 2 {
		switch {
		case i > 0 && !twice:
			continue
		case i > 0:
			runtime.Gosched() // to where others may have the lock
		}
		switch {
		case unlocked:
		case looks:
			g.RLock(s.lock, mutex)
		default:
			g.WLock(s.lock, mutex)
		}
		for range 1 + r.IntN(6) {
			if r.IntN(8) == 0 {
				runtime.Gosched()
			}
			field, kind := r.IntN(3), r.IntN(2)
			if looks && !unlocked {
				kind = 0
			}
			g.access(trace.Read+trace.Op(kind), unsafe.Add(unsafe.Pointer(o), field*8),
				Ref(s.access[1][field][0][kind])|thingClass<<24|Ref(field*8)<<40)
		}
		last := i == 1 || !twice
		switch {
		case unlocked:
		case looks && last:
			g.RUnlockLast(s.lock, mutex, 2)
		case looks:
			g.RUnlock(s.lock, mutex)
		case last:
			g.WUnlockLast(s.lock, mutex, 2)
		default:
			g.WUnlock(s.lock, mutex)
		}
	}
	g.UnitEnds(2)
}

// begins begins a unit of another set that looks at an object, or changes it, under another lock.
func begins(s *sample, g *Goroutine, outer *sync.RWMutex, o *thing, changes bool) {
	g.Unit(s.second[0])
	if changes {
		g.WLock(s.locks[0], outer)
	} else {
		g.RLock(s.locks[0], outer)
	}
	g.access(trace.Read, unsafe.Pointer(&o.a), Ref(s.access[0][3][0][0])|otherClass<<24)
}

// ends ends such a unit.
func ends(s *sample, g *Goroutine, outer *sync.RWMutex, o *thing, changes bool) {
	if changes {
		g.access(trace.Write, unsafe.Pointer(&o.a), Ref(s.access[0][3][0][1])|otherClass<<24)
		g.WUnlockLast(s.lock, outer, 1)
	} else {
		g.access(trace.Read, unsafe.Pointer(&o.a), Ref(s.access[0][3][0][0])|otherClass<<24)
		g.RUnlockLast(s.lock, outer, 1)
	}
	g.UnitEnd()
}
