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
// The hooks call, if steer is not nil:
//
//	announce, begin, end     at a go statement, as the first and the last thing of the goroutine
//	adopt                    for a goroutine that comes to a hook and has no worker (main, callbacks)
//	park                     before any operation that is recorded takes effect; time.Sleep is only that
//	takeLock, takeRead       in place of Lock and RLock
//	wait, signal             in place of the methods of sync.Cond
//	open, split, close       when a unit begins, is split, ends, after the records of that
//	finish                   when the program is about to exit

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
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
	gid    uint64 // the runtime's number
	state  atomic.Int32
	wake   chan struct{}
	at     steerPoint // where it is parked
	frames []frame    // the units that are open, outermost first

	role     int // that it is bound to, or noRole
	priority int // among those that are equally good; see policy
}

// frame is an open unit.
type frame struct {
	site   uint32
	serial uint64 // differs for each unit of a run
}

// steerPoint is what a goroutine is about to do.
type steerPoint struct {
	op       uint8
	site     uint32
	object   uint32
	try      func() bool // takes the lock, if there is one to be taken
	undo     func()      // gives it back
	mayBlock bool        // the operation waits in the runtime
}

// scheduler is the state of a steered run. It is guarded by mu, although on one processor
// with every worker parked there is hardly anybody to contend with.
type scheduler struct {
	mu       sync.Mutex
	workers  []*worker
	byID     map[uint64]*worker // by the runtime's number
	holder   *worker            // the last one that was let go
	arrivals atomic.Uint64      // changes whenever a worker parks or ends
	expected atomic.Int32       // workers that are announced and will park at once
	serial   uint64             // of units
	points   int
	policy   policy
	log      steerLog
	script   *script
	isOver   atomic.Bool // everybody runs freely
	waiters  map[*sync.Cond][]*worker
}

// steer is the scheduler, nil in a run that is not steered.
var steer = openSteer()

// openSteer begins to steer, if the environment says so.
func openSteer() *scheduler {
	name := os.Getenv(SteerVariable)
	if name == "" {
		return nil
	}
	script, err := readScript(name)
	if err != nil {
		steerFail(err.Error())
	}
	runtime.GOMAXPROCS(1)
	s := newScheduler(script)
	go s.monitor()
	return s
}

func newScheduler(script *script) *scheduler {
	s := &scheduler{script: script, byID: map[uint64]*worker{}, waiters: map[*sync.Cond][]*worker{}}
	s.log.name = script.log
	s.policy = newPolicy(script, s)
	return s
}

// steerFail ends the program because it cannot be steered.
func steerFail(why string) {
	os.Stderr.WriteString("empire-go: steer: " + why + "\n")
	os.Exit(2)
}

// announce returns the worker for a goroutine that is about to be started.
func (s *scheduler) announce(site uint32) *worker {
	w := s.add(site)
	s.expected.Add(1)
	return w
}

// add returns a new worker.
func (s *scheduler) add(origin uint32) *worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &worker{id: len(s.workers), origin: origin, wake: make(chan struct{}, 1), role: noRole}
	s.workers = append(s.workers, w)
	s.policy.join(w)
	return w
}

// begin is the first thing that an announced goroutine does.
func (s *scheduler) begin(w *worker) {
	s.name(w)
	s.expected.Add(-1)
	s.park(w, steerPoint{op: startPoint, site: w.origin})
}

// adopt returns a worker for a goroutine that nobody has announced: main, and what other
// modules start. It runs already, and stops at the point that it has come to.
func (s *scheduler) adopt() *worker {
	w := s.add(0)
	w.state.Store(int32(running))
	s.name(w)
	return w
}

// name finds out the runtime's number of the calling goroutine.
func (s *scheduler) name(w *worker) {
	w.gid = currentGoroutine()
	s.mu.Lock()
	s.byID[w.gid] = w
	s.mu.Unlock()
}

// park stops at a point until the monitor lets the worker go on. A lock that the point is
// about has then been taken.
func (s *scheduler) park(w *worker, p steerPoint) {
	if s.isOver.Load() {
		s.free(p)
		return
	}
	w.at = p
	w.state.Store(int32(parked))
	s.arrivals.Add(1)
	<-w.wake
}

// free carries out a point of a run that is no longer steered.
func (s *scheduler) free(p steerPoint) {
	for p.try != nil && !p.try() {
		runtime.Gosched()
	}
}

// end is the last thing that a worker does.
func (s *scheduler) end(w *worker) {
	s.mu.Lock()
	delete(s.byID, w.gid)
	s.mu.Unlock()
	w.state.Store(int32(ended))
	s.arrivals.Add(1)
}

// open opens a unit of the worker.
func (s *scheduler) open(w *worker, site uint32) {
	s.serial++
	w.frames = append(w.frames, frame{site, s.serial})
}

// split ends the innermost unit and opens the next one at the same place.
func (s *scheduler) split(w *worker) {
	if n := len(w.frames); n > 0 {
		site := w.frames[n-1].site
		s.close(w)
		s.open(w, site)
	}
}

// close ends the innermost unit of the worker.
func (s *scheduler) close(w *worker) {
	if n := len(w.frames); n > 0 {
		w.frames = w.frames[:n-1]
		s.policy.closed(w)
	}
}

// startPoint is the operation of the point at which a goroutine begins.
const startPoint = 255
