package hook

// This file and the others named steer*.go are the controlled scheduler. When the
// environment names a script, one goroutine of the user's module runs at a time: it runs
// from one point (a call into this package, before the operation takes effect) to its next
// one, and stops there until the monitor lets it go on.
//
// The program then runs on one processor, which makes three things cheap and exact: a
// goroutine that blocks outside this package is seen to be blocked, because the monitor,
// which yields all the time, comes back with nothing else having run; one that is woken
// runs on to its next point before the monitor decides again; and the order of all that
// depends on nothing but the decisions.
//
// Locks are only tried, by the monitor, before it lets a goroutine take one. So nobody waits
// for a lock in the runtime, and who gets it next is a decision like any other.
//
// The conductor of steer_hooks.go is what the other hooks call.

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// SteerVariable names the environment variable with the file of the script.
const SteerVariable = "EMPIRE_STEER"

// workerState is where a goroutine is.
type workerState int32

const (
	starting workerState = iota // announced by its parent, has not run yet
	running                     // between two points
	parked                      // at a point
	waiting                     // on a condition variable: Signal or Broadcast parks it
	blocked                     // between two points, waits for something in the runtime
	ended
)

// worker is a goroutine of the user's module.
type worker struct {
	id     int
	origin uint32 // the site of its go statement, 0 for main and for callbacks of others
	gid    uint64 // the runtime's number; that of main is mainGoroutine
	state  atomic.Int32
	wake   chan struct{}
	at     steerPoint // where it is parked
	frames []frame    // the units that are open, outermost first

	isSettled bool   // it was parked when everybody had come to rest the last time
	skipped   uint64 // its unit, of which an event was skipped: it stays where it is
	rests     bool   // and does so since that unit has ended
	isTimer   bool   // it goes off when it is let go on the first time
	role      int    // that it is bound to, or noRole
	announced bool   // its parent has said so
	asleep    int    // the point until which it rests
	naps      int    // how many times it has slept or yielded since it passed an event
	priority  int    // among those that are equally good; see policy
}

func (w *worker) is(s workerState) bool { return workerState(w.state.Load()) == s }

// frame is an open unit.
type frame struct {
	site   uint32
	serial uint64 // differs for each unit of a run
}

// isIn tells whether a unit of the worker is open.
func (w *worker) isIn(unit uint64) bool {
	return slices.ContainsFunc(w.frames, func(f frame) bool { return f.serial == unit })
}

// steerPoint is what a goroutine is about to do.
type steerPoint struct {
	op       uint8
	site     uint32
	object   uint32
	try      func() bool // takes the lock, if there is one to be taken
	mayBlock bool        // the operation waits in the runtime
}

// controller is the state of a steered run. It is guarded by mu, although on one processor
// with every worker parked there is hardly anybody to contend with.
type controller struct {
	mu        sync.Mutex
	workers   []*worker
	holder    *worker       // the last one that was let go
	arrivals  atomic.Uint64 // changes whenever a worker parks or ends
	expected  atomic.Int32  // workers that are announced and will park at once
	gid       uint64        // of the monitor
	serial    uint64        // of units
	policy    policy
	log       steerLog
	script    *script
	started   time.Time
	mainLeft  bool
	patient   int         // how many times it was waited in vain for those whom nobody has announced
	lonelyAt  int         // the point until which nobody is expected to come
	exitAt    int         // the point at which main waits no longer for others
	over      atomic.Bool // the log is closed
	settled   []*worker   // that were parked when everybody had come to rest the last time
	ready     []*worker   // of choose
	idleSince time.Time   // nobody can go on
	waiters   map[*sync.Cond][]*worker
	announced map[uint32]*worker // by the number in the trace
}

// openSteer begins to steer.
func openSteer(name string) *controller {
	script, err := readScript(name)
	if err != nil {
		os.Stderr.WriteString("empire-go: steer: " + err.Error() + "\n")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(1)
	s := newController(script)
	go s.monitor()
	return s
}

func newController(script *script) *controller {
	s := &controller{script: script, waiters: map[*sync.Cond][]*worker{}, announced: map[uint32]*worker{}}
	s.log.name = script.log
	s.policy = newPolicy(script, s)
	return s
}

// announce returns the worker for a goroutine that is about to be started.
func (s *controller) announce(site uint32) *worker {
	w := s.add(site)
	w.announced = true
	s.expected.Add(1)
	return w
}

// add returns a new worker.
func (s *controller) add(origin uint32) *worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &worker{id: len(s.workers), origin: origin, wake: make(chan struct{}, 1), role: noRole}
	s.workers = append(s.workers, w)
	s.policy.join(w)
	return w
}

// start is the first thing that an announced goroutine does.
func (s *controller) start(w *worker) {
	w.gid = currentGoroutine()
	s.expected.Add(-1)
	s.park(w, steerPoint{op: startPoint, site: w.origin})
}

// adopt returns a worker for a goroutine that nobody has announced: main, and what other
// modules start. It runs already, and stops at the point that it has come to.
func (s *controller) adopt() *worker {
	w := s.add(0)
	w.state.Store(int32(running))
	w.gid = currentGoroutine()
	return w
}

// park stops at a point until the monitor lets the worker go on. A lock that the point is
// about has then been taken.
func (s *controller) park(w *worker, p steerPoint) {
	quiet := isQuiet(w.at.op)
	if w.at = p; quiet && s.decide(w) {
		return
	}
	w.state.Store(int32(parked))
	s.arrivals.Add(1)
	<-w.wake
	s.pin()
}

// pin makes what the runtime chooses at random from here on depend on the script and on what has
// happened.
func (s *controller) pin() { platformSeed(s.script.seed<<32 + uint64(s.log.points)) }

// leave is the last thing that a worker does.
func (s *controller) leave(w *worker) {
	w.state.Store(int32(ended))
	s.arrivals.Add(1)
}

// open opens a unit of the worker.
func (s *controller) open(w *worker, site uint32) {
	s.serial++
	w.frames = append(w.frames, frame{site, s.serial})
}

// split ends the innermost unit and opens the next one at the same place.
func (s *controller) split(w *worker) {
	if n := len(w.frames); n > 0 {
		site := w.frames[n-1].site
		s.close(w)
		s.open(w, site)
	}
}

// close ends the innermost unit of the worker.
func (s *controller) close(w *worker) {
	if n := len(w.frames); n > 0 {
		w.frames = w.frames[:n-1]
		s.policy.closed(w)
	}
}

// mainGoroutine is the runtime's number of the main goroutine.
const mainGoroutine = 1

// The operations of the points at which a goroutine begins, at which main ends, at which a goroutine
// sleeps or yields, and after a critical section.
const (
	startPoint = 255
	exitPoint  = 254
	pausePoint = 253
	afterPoint = 252
)
