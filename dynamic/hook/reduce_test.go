package hook

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/units"
	"github.com/empire-go/empire-go/dynamic/watch"
	"github.com/empire-go/empire-go/scenarios"
)

var (
	reduceRuns = flag.Int("reduce", 3000, "random runs of TestReduced")
	reduceFrom = flag.Uint64("reducefrom", 0, "the first of them")
	reduceSeed = flag.Uint64("reduceseed", 0, "the only one of them to run, if not 0")
)

// thing is an object whose fields are a set.
type thing struct{ a, b, c, d, e, f int64 }

const (
	thingClass = 1
	otherClass = 2 // of the objects of a second set
	others     = 4 // the number of the first of these
)

// They are in the heap.
var (
	reducedThings  = make([]*thing, 6)
	reducedChannel = new(int64)
)

func init() { // the initial values of variables are none that are in the heap
	for i := range reducedThings {
		reducedThings[i] = new(thing)
	}
	reducedChannel = new(int64)
}

// sample is a program of which random runs are made: functions that are units in several ways, each with accesses
// of several sorts.
type sample struct {
	header trace.Header
	plan   *watch.Plan
	frames []uint32     // sites, by function
	second []uint32     // of frames for the second set, which some functions open, too
	kinds  []watch.Kind // by function
	third  []uint32     // likewise, for a third set, of the same objects as the first
	// sites by function, field of one of the sets, sort, and read or write; those of the fields of a set follow each other
	access [][9][sorts + 1][2]uint32
	lock   uint32
	locks  []uint32 // where some are taken
	table  []byte
	tracks *units.Tracker // of a run of the sample
}

const (
	sorts  = 4 // plain, read that is forgotten by others, note, read that is forgotten by still others
	counts = 4 // increments, see exactly
)

// newSample makes a sample. Where nothing is incremented (see turns) more accesses are merged.
func newSample(increments bool) *sample {
	s := &sample{plan: &watch.Plan{Schema: watch.Schema}}
	s.plan.Sets = []watch.Set{
		{Type: "p.T", Fields: []string{"a", "b", "c"}}, {Type: "p.U", Fields: []string{"d", "e", "f"}},
		{Type: "p.T", Fields: []string{"g", "h", "i"}},
	}
	s.header.Sites = []trace.Site{{Kind: "none"}, {Kind: "type", Field: "p.T"}, {Kind: "type", Field: "p.U", Set: 1}}
	site := func(x trace.Site) uint32 {
		s.header.Sites = append(s.header.Sites, x)
		return uint32(len(s.header.Sites) - 1)
	}
	s.lock = site(trace.Site{Kind: "lock", Set: -1, Pos: "lock"})
	for i := range 16 {
		s.locks = append(s.locks, site(trace.Site{Kind: "lock", Set: -1, Pos: fmt.Sprint("lock", i)}))
	}
	for i, kind := range []watch.Kind{watch.Method, watch.Method, watch.Direct, watch.Direct, watch.Named, watch.None,
		watch.Constructor, watch.Direct, watch.Method, watch.Named} {
		name := fmt.Sprintf("f%d", i)
		s.kinds = append(s.kinds, kind)
		first := uint32(0)
		if opensFirst(i) {
			first = site(trace.Site{Kind: string(kind), Function: name, Pos: name})
		}
		s.frames = append(s.frames, first)
		second := uint32(0)
		if opensSecond(i) {
			of := watch.Direct
			if !opensFirst(i) {
				of = kind
			}
			second = site(trace.Site{Kind: string(of), Function: name, Pos: name, Set: 1})
		}
		s.second = append(s.second, second)
		third := uint32(0)
		if opensThird(i) {
			third = site(trace.Site{Kind: string(kind), Function: name, Pos: name, Set: 2})
		}
		s.third = append(s.third, third)
		fields, kinds := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"}, []string{"read", "write"}
		access := func(field, sort, k int) uint32 {
			f := fields[field]
			posOf := func(f string, sort, k int) string { return fmt.Sprintf("%s.%s.%d.%s", name, f, sort, kinds[k]) }
			pos := posOf(f, sort, k)
			a := watch.Access{Set: field / 3, Field: f, Pos: pos, Reads: k == 0, Writes: k == 1}
			switch {
			case (sort == 1 || sort == 3) && k == 0:
				a.Passing, a.Until = true, []string{posOf(f, 4-sort, 0)}
				if sort == 1+2*((i+1)%2) { // it outlives the other one, which forgets itself where it is made again
					a.Until = append(a.Until, pos)
					for _, of := range fields[field/3*3 : field/3*3+3] {
						a.Until = append(a.Until, posOf(of, 4-sort, 1))
					}
					slices.Sort(a.Until)
				}
				s.plan.Accesses = append(s.plan.Accesses, a)
			case sort == 1 || sort == 3:
				s.plan.Accesses = append(s.plan.Accesses, a) // forgets
			case sort == 2 && k == 0:
				a.Note = true
				s.plan.Accesses = append(s.plan.Accesses, a)
			case sort == counts && increments:
				a.Counts = true
				s.plan.Accesses = append(s.plan.Accesses, a)
			}
			return site(trace.Site{Kind: kinds[k], Function: name, Field: f, Pos: pos, Set: field / 3})
		}
		var all [9][sorts + 1][2]uint32
		for sort := range all[0] {
			for k := range kinds {
				for field := range fields {
					all[field][sort][k] = access(field, sort, k)
				}
			}
		}
		s.access = append(s.access, all)
	}
	s.header.Plan, _ = json.Marshal(s.plan)
	s.table = units.Reduction(&s.header, s.plan)
	s.tracks = units.New(&s.header, s.plan, nil)
	return s
}

// opensFirst tells whether a function has a frame for the first set.
func opensFirst(function int) bool { return function < 7 }

// opensSecond tells whether a function has a frame for the second set.
func opensSecond(function int) bool {
	return function == 0 || function == 2 || function == 3 || function == 7 || function == 9
}

// opensThird tells whether a function has a frame for the third set.
func opensThird(function int) bool { return function == 1 || function == 3 || function == 8 }

// framesOf is how many frames a function opens.
func (s *sample) framesOf(function int) int {
	n := 0
	for _, site := range []uint32{s.frames[function], s.second[function], s.third[function]} {
		if site != 0 {
			n++
		}
	}
	return n
}

// framesFrom returns the first site of the frames of a function, which follow each other, as bits those that are on its
// receiver, and how many there are.
func (s *sample) framesFrom(function int) (first uint32, on uint16, n int) {
	for i, site := range []uint32{s.frames[function], s.second[function], s.third[function]} {
		if site == 0 {
			continue
		}
		if first == 0 {
			first = site
		}
		if s.kinds[function] == watch.Method && i != 1 {
			on |= 1 << n
		}
		n++
	}
	return first, on, n
}

// record begins a recording into a file, with nothing that a former one has left.
func record(t *testing.T) *os.File {
	file, err := os.CreateTemp("/dev/shm", "reduce")
	if err != nil {
		t.Skip(err)
	}
	output.descriptor, output.closed, recording = int(file.Fd()), false, true
	objects = objectTable{numbers: noObject, classes: map[uint16][]*object{}}
	objects.buckets.Store(new(make([]atomic.Pointer[object], 1<<6)))
	goroutineNumbers.Store(1)
	strangers.Store(0)
	return file
}

// seenAt names what is seen of the accesses at a site in one activation of a function.
type seenAt struct {
	g, depth, times int
	site            uint32
}

// trail is the trace of a run.
type trail struct {
	header trace.Header
	blocks []byte
}

// perform carries a run out, and returns the trace.
func (s *sample) perform(t *testing.T, acts []act, reduce bool) trail {
	file := record(t)
	defer os.Remove(file.Name())
	defer file.Close()
	setTable(nil)
	if reduce {
		setTable(s.table)
	}
	defer setTable(nil)
	things, channel := append(append(reducedThings[:3:3], nil), reducedThings[4:]...), reducedChannel
	mutexes, readers := [4]*sync.Mutex{new(sync.Mutex), new(sync.Mutex), nil, new(sync.Mutex)}, new(sync.RWMutex)
	all := []*Goroutine{{number: 1}}
	all[0].record(trace.Start, 0, 0, 0)
	stacks := map[int][]int{} // of functions that are open
	seen := map[seenAt]*Seen{}
	begun := map[seenAt]int{} // how often
	loops := map[int]*rounds{}
	for i, a := range acts {
		g, o, class, set := all[a.g], things[a.object%len(things)], Ref(thingClass)<<24, 0
		switch {
		case a.object >= others:
			class, set = otherClass<<24, 1
		case a.third:
			set = 2
		}
		s.leaves(g, loops, a)
		switch a.what {
		case "round":
			ref := Ref(s.access[a.function][3*set+a.field][a.sort][0]) | class | Ref(a.field*8)<<40
			loops[a.g] = s.round(g, loops[a.g], a, unsafe.Add(unsafe.Pointer(o), a.field*8), ref)
		case "begin":
			stacks[a.g] = append(stacks[a.g], a.function)
			begun[seenAt{g: a.g, depth: len(stacks[a.g])}]++
			if a.object%2 == 0 { // all at once
				first, on, n := s.framesFrom(a.function)
				Units(g, things[a.object%3], Ref(first)|thingClass<<24, on, n)
				break
			}
			switch site := s.frames[a.function]; {
			case site != 0 && s.kinds[a.function] == watch.Method:
				UnitOn(g, things[a.object%3], Ref(site)|thingClass<<24)
			case site != 0:
				g.Unit(site)
			}
			if site := s.second[a.function]; site != 0 {
				g.Unit(site)
			}
			switch site := s.third[a.function]; {
			case site != 0 && s.kinds[a.function] == watch.Method:
				UnitOn(g, things[a.object%3], Ref(site)|thingClass<<24)
			case site != 0:
				g.Unit(site)
			}
		case "end":
			n := len(stacks[a.g]) - 1
			if frames := s.framesOf(stacks[a.g][n]); i%3 > 0 {
				g.UnitEnds(frames)
			} else {
				for range frames {
					g.UnitEnd()
				}
			}
			stacks[a.g] = stacks[a.g][:n]
		case "split":
			s.split(g, a)
		case "with":
			UnitWith(g, things[a.object%3], Ref(s.frames[a.function])|thingClass<<24)
		case "lock":
			site := s.locks[i%len(s.locks)] // where it did not pay to be quiet that is not tried again
			switch {
			case a.looks:
				g.RLock(site, readers)
			case a.lock == 2:
				g.WLock(site, readers)
			default:
				g.Lock(site, mutexes[a.lock])
			}
		case "unlock":
			site := s.lock
			switch {
			case a.looks:
				g.RUnlock(site, readers)
			case a.lock == 2:
				g.WUnlock(site, readers)
			default:
				g.Unlock(site, mutexes[a.lock])
			}
		case "unlocklast":
			site := s.lock
			frames := s.framesOf(stacks[a.g][len(stacks[a.g])-1])
			switch {
			case a.looks:
				g.RUnlockLast(site, readers, frames)
			case a.lock == 2:
				g.WUnlockLast(site, readers, frames)
			default:
				g.UnlockLast(site, mutexes[a.lock], frames)
			}
		case "make":
			o = new(thing)
			reducedThings[3], things[3] = o, o
			g.made(unsafe.Pointer(o), thingClass<<24)
		case "send":
			g.synced(trace.Send, s.lock, unsafe.Pointer(channel))
		case "decline":
			g.offer(s.lock, unsafe.Pointer(channel))
			g.Chose(0)
		case "go":
			c := g.Fork(s.lock)
			child := &Goroutine{number: c.number}
			child.record(trace.Start, 0, 0, uint64(c.parent))
			all = append(all, child)
		case "access":
			if a.whole {
				site := s.access[a.function][3*set][a.sort][a.kind]
				g.accessWhole(trace.Read+trace.Op(a.kind), unsafe.Pointer(o), Ref(site)|class, 3)
				break
			}
			p := unsafe.Add(unsafe.Pointer(o), a.field*8)
			site := s.access[a.function][3*set+a.field][a.sort][min(a.kind, 1)]
			ref := Ref(site) | class | Ref(a.field*8)<<40
			if a.kind >= 2 {
				op, done := trace.RMW, trace.RMW
				switch a.kind {
				case 3:
					done = trace.AtomicRead
				case 4:
					op, done = trace.AtomicWrite, trace.AtomicWrite
				}
				g.took(g.exactly(op, p, ref), done, ref)
				break
			}
			depth := len(stacks[a.g])
			if i%4 == 0 || a.function != stacks[a.g][depth-1] {
				g.access(trace.Read+trace.Op(a.kind), p, ref)
				break
			}
			at := seenAt{g: a.g, depth: depth}
			at.times, at.site = begun[at], site
			if seen[at] == nil {
				seen[at] = &Seen{}
			}
			if field := (*int64)(p); !Same(g, field, seen[at]) {
				Sees(g, uint8(trace.Read)+uint8(a.kind), field, ref, seen[at])
			}
		}
	}
	for _, g := range all {
		g.speaks()
		g.record(trace.End, 0, 0, 0)
		g.flush()
	}
	return s.recorded(t, file, reduce)
}

// recorded returns what was recorded into a file.
func (s *sample) recorded(t *testing.T, file *os.File, reduce bool) trail {
	blocks, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	of := trail{s.header, blocks}
	of.header.Reduced = reduce
	return of
}

// matches returns what matches in a trace: the scenario, the code of the units, the fields; and how many
// accesses it has.
func (s *sample) matches(t *testing.T, of trail) (found []string, accesses uint64, isWhole bool) {
	r := trace.ReaderOf(&of.header, bytes.NewReader(of.blocks))
	all := map[string]bool{}
	engine, err := automata.New(scenarios.Table, func(m *automata.Match) {
		var b strings.Builder
		fmt.Fprintf(&b, "scenario %d", m.Pattern.Scenario.Number)
		if l := m.Locations; len(l) > 1 && l[0].Object != l[1].Object {
			b.Reset() // events at different objects are in no order: which scenario it is can be either
		}
		var names []string
		for _, u := range m.Units {
			of := u.Data.(*units.Unit)
			names = append(names, fmt.Sprintf(" g%d %s", u.Goroutine, s.header.Site(of.Frame.Site).Function))
		}
		for _, l := range m.Locations {
			names = append(names, fmt.Sprintf(" %c of object %d", 'a'+rune(3*l.Set)+rune(l.Field), l.Object))
		}
		slices.Sort(names) // the two may be named either way
		all[b.String()+strings.Join(names, "")] = true
	})
	if err != nil {
		t.Fatal(err)
	}
	engine.Name = func(u *automata.Unit) uint32 { return u.Data.(*units.Unit).Frame.Site<<8 | u.Goroutine }
	tracker := s.tracks.Again(engine)
	for {
		e, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		tracker.Add(e)
	}
	tracker.Close()
	return slices.Sorted(maps.Keys(all)), tracker.Stats().Accesses, r.Stats().Whole()
}

// shrink leaves steps out of a run in which something differs, as long as it does.
func (s *sample) shrink(t *testing.T, acts []act) []act {
	for size := len(acts) / 2; size > 0; size /= 2 {
		for i := 0; i+size <= len(acts); i++ {
			fewer := slices.Delete(slices.Clone(acts), i, i+size)
			if !isRun(fewer) {
				continue
			}
			full, _, _ := s.matches(t, s.perform(t, fewer, false))
			reduced, _, isWhole := s.matches(t, s.perform(t, fewer, true))
			if !slices.Equal(full, reduced) || !isWhole {
				acts = fewer
				i--
			}
		}
	}
	return acts
}

// TestReduced carries random runs out twice: what matches is the same when they leave out what they may.
//
//	go test ./dynamic/hook -run TestReduced -reduce 100000
func TestReduced(t *testing.T) {
	inOneCycle(t)
	defer func(n int) { rememberAfter = n }(rememberAfter)
	samples := []*sample{newSample(false), newSample(true)}
	whole, left, matched := uint64(0), uint64(0), 0
	for n := range uint64(*reduceRuns) {
		seed := *reduceFrom + n + 1
		if seed == 1 {
			seed = 92853 // here one in a hundred thousand has found a mistake
		}
		if *reduceSeed != 0 {
			seed = *reduceSeed
		}
		stream := func(n uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, n)) }
		s := samples[seed%2]
		rememberAfter = 1 << (n % 7)
		acts := withWhole(stream(22), varied(stream(21), randomRun(stream(20))))
		nested := withWhole(stream(25), nestedRun(stream(24)))
		runs := [][]act{disciplined(stream(23), acts), nested, sectionsRun(stream(29)), seenRun(stream(35)),
			tokensRun(stream(36))}
		for i, acts := range runs {
			acts = again(stream(30+uint64(i)), withExact(stream(26+uint64(i)), acts))
			acts = withRounds(stream(50+uint64(i)), withMessages(stream(40+uint64(i)), acts))
			full, accesses, _ := s.matches(t, s.perform(t, acts, false))
			reduced, kept, isWhole := s.matches(t, s.perform(t, acts, true))
			whole, left = whole+accesses, left+kept
			if len(full) > 0 {
				matched++
			}
			if !slices.Equal(full, reduced) || !isWhole {
				s.differs(t, seed, acts)
			}
		}
		if *reduceSeed != 0 {
			break
		}
	}
	t.Logf("%d runs, in %d of them matches; of %d accesses %d are left", 5**reduceRuns, matched, whole, left)
}

// differs says in what a run differs when it is reduced.
func (s *sample) differs(t *testing.T, seed uint64, acts []act) {
	acts = s.shrink(t, acts)
	full, _, _ := s.matches(t, s.perform(t, acts, false))
	reduced, _, isWhole := s.matches(t, s.perform(t, acts, true))
	for _, a := range acts {
		t.Log(a)
	}
	t.Fatalf("seed %d: in the whole run there is\n%s\nin the reduced one (whole: %t)\n%s", seed,
		strings.Join(full, "\n"), isWhole, strings.Join(reduced, "\n"))
}
