package blocking

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
)

// In the model a timer gives a value whenever somebody wants one. It may be that it never does: after it has given the
// one that it has, or when it has been stopped. Along each way of a goroutine that is counted; of what several
// goroutines do with one timer it is not known which one comes first.

// timerUsers is the goroutines that take values from a timer, and those that stop it.
type timerUsers struct{ takers, stoppers map[int]bool }

// fired is what is counted when a value comes from a timer, stopped when it is stopped.
func fired(o *object) string   { return "fired " + o.key }
func stopped(o *object) string { return "stopped " + o.key }

// usersOf returns who uses a timer.
func (l *lowerer) usersOf(timer *object) *timerUsers {
	u := l.timers[timer]
	if u == nil {
		u = &timerUsers{map[int]bool{}, map[int]bool{}}
		l.timers[timer] = u
	}
	return u
}

// hasOthers tells whether there are other goroutines than one.
func hasOthers(all map[int]bool, than int) bool { return len(all) > 1 || len(all) == 1 && !all[than] }

// expires is that a goroutine takes a value from a timer.
func (l *lowerer) expires(s *state, timer *object, at ssa.Instruction) {
	u := l.usersOf(timer)
	u.takers[l.process.index] = true
	switch {
	case timer.isOnce && (l.counted(s, fired(timer)) > 0 || hasOthers(u.takers, l.process.index)):
		l.guess(at, "whether the timer expires again")
	case l.counted(s, stopped(timer)) > 0 || hasOthers(u.stoppers, l.process.index):
		l.guess(at, "whether the timer has expired before")
	}
	if timer.isOnce {
		l.setCount(s, fired(timer), 1)
	}
}

// arms is that a timer begins: it has a value to give. What stands for many timers may be another one of them.
func (l *lowerer) arms(s *state, timer *object) {
	if timer.isMany {
		return
	}
	for _, what := range []string{fired(timer), stopped(timer)} {
		if l.counted(s, what) > 0 {
			l.setCount(s, what, 0)
		}
	}
}

// startTimer begins a timer that has just been made.
func (l *lowerer) startTimer(s *state, o *object, isOnce bool) *object {
	o.isTimer, o.isOnce = true, isOnce
	l.arms(s, o)
	return o
}

// stopTimer is that a timer is stopped, or begins again. What a timer runs when it expires may be done in vain, then,
// or once more.
func (l *lowerer) stopTimer(s *state, site ssa.CallInstruction, c callee) {
	p, ok := c.args[0].(pointer)
	var timer *object
	if ok && p.path == "" {
		timer = l.known.objects[p.to.key+" C"]
	}
	switch {
	case timer == nil:
		l.guess(site, "whether the timer has expired before")
	case c.fn.Name() == "Reset":
		l.arms(s, timer)
	default:
		u := l.usersOf(timer)
		u.stoppers[l.process.index] = true
		if hasOthers(u.takers, l.process.index) {
			l.guess(site, "whether the timer has expired before")
		}
		l.setCount(s, stopped(timer), 1)
	}
}

// timeCall is the effect of a function of package time that has to do with timers.
func (l *lowerer) timeCall(s *state, site ssa.CallInstruction, name string, c callee, result ssa.Value) (effect, bool) {
	switch strings.TrimPrefix(name, "time.") {
	case "Sleep":
		return effect{outcomes: []outcome{{stmts: []esl.Stmt{{Op: esl.Skip, Pos: l.position(site)}}, state: s}}}, true
	case "After", "Tick":
		return plain(s, result, pointer{l.startTimer(s, l.makeAt(s, site, "timer"), c.fn.Name() == "After"), ""}), true
	case "NewTimer", "NewTicker":
		o := l.makeAt(s, site, "timer")
		channel := l.object(o.key+" C", o.name+".C")
		channel.isMany = o.isMany
		l.startTimer(s, channel, c.fn.Name() == "NewTimer")
		s.put(cell{o, "C"}, pointer{channel, ""})
		return plain(s, result, pointer{o, ""}), true
	case "AfterFunc":
		o := l.makeAt(s, site, "timer")
		f, ok := c.args[1].(closure)
		if !ok {
			l.guess(site, "what runs when the time has passed")
			l.doubtAll(site)
			return plain(s, result, pointer{o, ""}), true
		}
		s.set(result, pointer{o, ""})
		stmts := l.start(s, site, callee{fn: f.fn, bindings: f.bindings}, []esl.Stmt{{Op: esl.Skip}}, nil)
		return effect{outcomes: []outcome{{stmts: stmts, state: s}}}, true
	}
	if name := c.fn.Name(); name == "Stop" || name == "Reset" {
		l.stopTimer(s, site, c)
	}
	return plain(s, result, nil), true
}
