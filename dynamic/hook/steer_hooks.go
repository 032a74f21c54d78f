package hook

import (
	"sync"
	"syscall"
	"time"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// The controller is the conductor of a steered run.
var _ conductor = (*controller)(nil)

func init() {
	name, ok := syscall.Getenv(SteerVariable)
	if !ok {
		return
	}
	syscall.Unsetenv(SteerVariable)
	s := openSteer(name)
	steering, clock.begin = s, time.Now()
	platformAtExit(func() { s.finish("exit") })
}

// begin makes a worker of a goroutine. One that was announced waits for its turn.
func (s *controller) begin(g *Goroutine) {
	s.mu.Lock()
	w := s.announced[g.number]
	delete(s.announced, g.number)
	s.mu.Unlock()
	if w == nil {
		g.worker = s.adopt()
		return
	}
	g.worker = w
	s.start(w)
}

// fork announces a goroutine. The last point of its parent is that of the go statement.
func (s *controller) fork(g *Goroutine, c Child) {
	w := s.announce(g.worker.at.site)
	s.mu.Lock()
	s.announced[c.number] = w
	s.mu.Unlock()
}

// timer notes that a goroutine is a timer.
func (s *controller) timer(c Child) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.announced[c.number].isTimer = true
}

// end is the end of a goroutine. That of main ends everybody else, so it is a point too.
func (s *controller) end(g *Goroutine) {
	if g.worker.gid == mainGoroutine {
		s.park(g.worker, steerPoint{op: exitPoint})
		s.flush()
	}
	s.log.mark()
	s.leave(g.worker)
}

// flush writes what has been recorded. Everybody else is parked, or waits: who runs may record
// something meanwhile, and that would be lost.
func (s *controller) flush() {
	if recording {
		goroutines.all(func(g *Goroutine) { g.flush() })
	}
}

func (s *controller) point(g *Goroutine, op trace.Op, site, object uint32) {
	s.park(g.worker, steerPoint{op: uint8(op), site: site, object: object, mayBlock: op == trace.End})
}

func (s *controller) perform(g *Goroutine, op trace.Op, site, object uint32, try func() bool, block func()) {
	p := steerPoint{op: uint8(op), site: site, object: object}
	if try != nil && (op == trace.Lock || op == trace.RLock) {
		p.try = try
		s.park(g.worker, p)
		return
	}
	if op == trace.OnceBegin {
		p.try = try // it takes nothing
	}
	p.mayBlock = true
	s.park(g.worker, p)
	block()
	g.worker.resume()
}

// choose is the point before a select, whose end nobody reports: see resume.
func (s *controller) choose(g *Goroutine, site uint32) {
	s.park(g.worker, steerPoint{op: uint8(trace.Recv), site: site})
	s.pin()
}

// pause lets others run.
func (s *controller) pause(g *Goroutine) { s.park(g.worker, steerPoint{op: pausePoint}) }

// resume notes that an operation that may wait is over.
func (w *worker) resume() {
	w.at.mayBlock = false
	w.state.CompareAndSwap(int32(blocked), int32(running))
}

// frame keeps track of the open units of a goroutine.
func (s *controller) frame(g *Goroutine, op trace.Op, site uint32) {
	switch op {
	case trace.UnitBegin:
		s.open(g.worker, site)
	case trace.UnitSplit:
		s.split(g.worker)
	case trace.UnitEnd:
		s.close(g.worker)
	}
}

// await is c.Wait.
func (s *controller) await(g *Goroutine, site uint32, c *sync.Cond) {
	s.wait(g.worker, steerPoint{op: uint8(trace.CondWait), site: site}, c)
}
