package racing

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

var (
	traces = flag.Int("traces", 3000, "random runs that are compared")
	from   = flag.Uint64("from", 0, "the seed of the first of them")
)

// TestAgainstVectorClocks compares what is found in random runs with vector clocks that keep all accesses to each byte:
// what is found is a race, and the first race of each byte is found.
func TestAgainstVectorClocks(t *testing.T) {
	defer func(old func(*raceThread, uint64, bool, uint32, raceItem)) { raceFound = old }(raceFound)
	races := 0
	for i := range *traces {
		if i%10_000 == 0 { // there are only so many numbers for threads
			raceThreads.numbers, raceThreads.n, raceThreads.free = 0, 0, nil
			clear(raceThreads.occupants[:])
			clear(raceThreads.last[:])
			clear(raceThreads.of[:])
		}
		r := newRandomRun(*from + uint64(i))
		for !r.isOver() {
			r.step()
			if r.wrong != "" {
				t.Fatalf("seed %d: %s\n%s", *from+uint64(i), r.wrong, strings.Join(r.log, "\n"))
			}
		}
		races += r.races
		r.end()
	}
	if races < *traces {
		t.Errorf("only %d races in %d runs", races, *traces)
	}
}

// randomObject is the address of the first object of a random run.
const randomObject uintptr = 1 << 40

// randomRun is a random run, with what happens before what by definition.
type randomRun struct {
	random  *rand.Rand
	memory  []uint64
	threads []*randomThread
	all     []*randomThread     // with those that have ended
	objects map[int]map[int]int // clocks by object
	bytes   map[uintptr][]randomAccess
	racy    map[uintptr]bool // bytes that have had a race
	steps   int
	started int
	races   int
	told    bool
	log     []string
	wrong   string
}

type randomThread struct {
	*raceThread
	name  int
	clock map[int]int // by name
}

type randomAccess struct {
	by, time          int
	isWrite, isAtomic bool
}

func newRandomRun(seed uint64) *randomRun {
	r := &randomRun{random: rand.New(rand.NewPCG(seed, 0)), memory: make([]uint64, 4), objects: map[int]map[int]int{},
		bytes: map[uintptr][]randomAccess{}, racy: map[uintptr]bool{}}
	raceFound = func(_ *raceThread, _ uint64, _ bool, _ uint32, first raceItem) {
		r.told = true
		if raceOccupantOf(first.entry).goroutine == 0 {
			r.wrong = "nobody has made an access"
		}
	}
	raceNew(r.base(), 32)
	raceNew(randomObject, 128)
	r.begin(nil)
	return r
}

func (r *randomRun) base() uintptr { return uintptr(unsafe.Pointer(&r.memory[0])) }

func (r *randomRun) isOver() bool { return r.steps == 60 }

func (r *randomRun) begin(parent *randomThread) {
	t := &randomThread{name: r.started, clock: map[int]int{}}
	r.started++
	if parent == nil {
		t.raceThread = raceBegin(nil, 0)
	} else {
		t.raceThread = raceBegin(parent.raceThread, 0)
		joined(t.clock, parent.clock)
		parent.clock[parent.name]++
	}
	if t.clock[t.name] = 1; r.random.IntN(8) == 0 {
		t.takes(t.number, ^uint32(0)-2) // it has to go on under another number soon
	}
	r.threads, r.all = append(r.threads, t), append(r.all, t)
}

func joined(to, from map[int]int) {
	for name, time := range from {
		to[name] = max(to[name], time)
	}
}

func (r *randomRun) end() {
	for _, t := range r.threads {
		t.raceThread.end()
	}
}

func (r *randomRun) say(format string, args ...any) {
	r.log = append(r.log, fmt.Sprintf("%2d ", r.steps)+fmt.Sprintf(format, args...))
}

// step lets a thread do something.
func (r *randomRun) step() {
	r.steps++
	at := r.random.IntN(len(r.threads))
	t := r.threads[at]
	switch n := r.random.IntN(20); {
	case n < 2 && len(r.threads) < 5:
		r.say("thread %d starts %d", t.name, r.started)
		r.begin(t)
	case n == 2 && len(r.threads) > 1:
		r.say("thread %d ends", t.name)
		t.raceThread.end()
		r.threads = append(r.threads[:at], r.threads[at+1:]...)
	case n == 3:
		r.say("thread %d learns all", t.name)
		t.learnsAll()
		for _, other := range r.all {
			t.clock[other.name] = max(t.clock[other.name], other.clock[other.name])
		}
		for _, other := range r.threads { // what they do from here on is not known, unlike the rest of a time
			if other != t {
				other.syncs(randomObject+100, raceReleases)
				other.clock[other.name]++
			}
		}
	case n < 9:
		r.sync(t)
	case n == 9:
		r.say("new memory")
		raceNew(r.base()+8, 16)
		for b := range uintptr(16) {
			delete(r.bytes, r.base()+8+b)
			delete(r.racy, r.base()+8+b)
		}
	default:
		r.access(t)
	}
}

func (r *randomRun) sync(t *randomThread) {
	object := r.random.IntN(3)
	what := []raceSyncing{raceAcquires, raceReleases, raceMerges, raceAcquires | raceReleases}[r.random.IntN(4)]
	r.say("thread %d syncs %d on %d", t.name, what, object)
	t.syncs(randomObject+uintptr(object), what)
	clock := r.objects[object]
	if what&raceAcquires != 0 {
		joined(t.clock, clock)
	}
	if what&raceReleases != 0 || clock == nil && what&raceMerges != 0 {
		clock = map[int]int{}
		r.objects[object] = clock
	}
	if what != raceAcquires {
		joined(clock, t.clock)
		t.clock[t.name]++
	}
}

func (r *randomRun) access(t *randomThread) {
	address, size := r.base()+uintptr(r.random.IntN(32)), uintptr(1)
	isWrite, isAtomic := r.random.IntN(2) == 0, r.random.IntN(4) == 0
	if !isAtomic && r.random.IntN(3) == 0 {
		size = min(1+uintptr(r.random.IntN(20)), r.base()+32-address)
	}
	r.say("thread %d: %d bytes from %d, write %t, atomic %t", t.name, size, address-r.base(), isWrite, isAtomic)
	r.told = false
	switch c, bytes := raceCellOf(address), uint64(1)<<(address&7); {
	case size > 1:
		t.accessRange(address, size, 0, isWrite, 0)
	case isAtomic:
		t.accessRange(address, 1, raceAtomic, isWrite, 0)
	case c != nil && c.hasLike(t.epoch, bytes, isWrite):
	case isWrite:
		t.writes(c, address, bytes, 0)
	default:
		t.reads(c, address, bytes, 0)
	}
	isRace, isFirst := false, false
	for b := address; b < address+size; b++ {
		isRacy := slices.ContainsFunc(r.bytes[b], func(a randomAccess) bool {
			return (a.isWrite || isWrite) && !(a.isAtomic && isAtomic) && t.clock[a.by] < a.time
		})
		if isRacy {
			isRace, isFirst = true, isFirst || !r.racy[b]
			r.racy[b] = true
		}
		r.bytes[b] = append(r.bytes[b], randomAccess{t.name, t.clock[t.name], isWrite, isAtomic})
	}
	if isRace {
		r.races++
	}
	switch {
	case r.told && !isRace:
		r.wrong = "what is found is no race"
	case isFirst && !r.told:
		r.wrong = "the first race of a byte is not found"
	}
}
