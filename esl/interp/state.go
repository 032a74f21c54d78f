// Package interp is the reference interpreter of esl: explicit states, one
// statement at a time, written for clarity. It is the oracle of the back end and
// has nothing in common with it but the language and the table of scenarios.
//
//   - Initial, Enabled, Apply: the small-step semantics (state.go, step.go).
//   - Replay, Accepts, Match: one run, and the patterns that occur in it
//     (trace.go, match.go).
//   - Finish: what a goroutine does until it is done (finish.go).
//   - Explore: all runs of a small program (explore.go, settle.go, monitor.go).
//
// The meaning of the language follows section 5.2 of the Empire report (Kidd,
// Reps, Dolby and Vaziri 2007) and the comments of package esl. Where these leave
// a choice: a process counts as done for Join only after a Done statement, so that
// one that ends without it is waited for in vain; an initial process counts as
// started; a rendezvous on an unbuffered channel is two steps, and in the state
// between them nothing is enabled but the Receives that complete it; falling off the end of a
// function is a step of its own, whose Index is
// the length of the body.
//
// All functions require a program that esl.Validate accepts.
package interp

import (
	"encoding/binary"
	"slices"

	"github.com/empire-go/empire-go/esl"
)

// State is a state of a program. States are values: Apply makes a new one.
type State struct {
	Program  *esl.Program
	Threads  []*Thread // one for each instance, in the order of Program.Instances; states share them
	Locks    []Lock
	Flags    []bool // which are set
	Channels []Channel
	Meeting  Meeting

	Queues    [][]int // for each condition, the threads in its queue, the first one first
	Counters  []int   // of the groups
	Variables []int
	Ended     bool // an Exit has been executed
}

// Thread is the state of one instance. A thread that is started and has an empty
// stack has ended.
type Thread struct {
	esl.Instance
	Started bool
	Done    bool         // has executed Done
	Stack   []Activation // the innermost activation last

	// Parent is 1 + the thread that started this one, as long as a unit of it is open
	// that was open then; else 0. Within are the objects of these units, ascending;
	// states share them. Neither has an effect on the run; the fork-join exception of
	// the patterns needs them.
	Parent int
	Within []int
}

// Activation is an activation of a function.
type Activation struct {
	Function int
	Next     int   // the statement to execute next; len(Body) is the implicit return
	Units    []int // the UnitBegin statements of the units it has open, outermost first
}

// Lock is the state of a lock.
type Lock struct {
	Held    bool // exclusively
	Readers int
	Pending bool // it is to be taken exclusively: see esl.Intend
}

// Channel is the state of a channel.
type Channel struct {
	Count  int   // of values in it
	Values []int // which, the first one first
	Closed bool
}

// Meeting is a rendezvous of which the Send has been executed and the Receive has
// not. The zero Meeting is none.
type Meeting struct {
	Open            bool
	Channel, Sender int  // the sender is an index into State.Threads
	Passing         bool // the Send is a target of a SelectDefault
	Value           int  // that is sent
}

// Initial returns the state in which the program begins.
func Initial(p *esl.Program) *State {
	s := &State{
		Program: p, Locks: make([]Lock, len(p.Locks)), Flags: make([]bool, len(p.Flags)),
		Channels: make([]Channel, len(p.Channels)), Queues: make([][]int, len(p.Conditions)),
		Counters: make([]int, len(p.Groups)), Variables: make([]int, len(p.Variables)),
	}
	for _, in := range p.Instances() {
		t := &Thread{Instance: in}
		if p.Processes[in.Process].Initial {
			t.start(p)
		}
		s.Threads = append(s.Threads, t)
	}
	return s
}

func (t *Thread) start(p *esl.Program) {
	t.Started = true
	t.Stack = []Activation{{Function: p.Processes[t.Process].Entry}}
}

// top returns the innermost activation; the stack must not be empty.
func (t *Thread) top() *Activation { return &t.Stack[len(t.Stack)-1] }

// thread returns the index of an instance in Threads, or -1.
func (s *State) thread(in esl.Instance) int {
	return slices.IndexFunc(s.Threads, func(t *Thread) bool { return t.Instance == in })
}

// next returns the statement that a thread is to execute next; ok is false if it
// is not started or has ended.
func (s *State) next(i int) (stmt esl.Stmt, ok bool) {
	t := s.Threads[i]
	if len(t.Stack) == 0 {
		return esl.Stmt{}, false
	}
	body := s.Program.Functions[t.top().Function].Body
	if n := t.top().Next; n < len(body) {
		return body[n], true
	}
	return esl.Stmt{Op: esl.Return}, true
}

// Unit is an open unit of work: the frame that a UnitBegin statement has opened.
type Unit struct {
	Object int
	Label  string
	With   []int
}

// units returns the units that a thread has open, outermost first.
func (s *State) units(i int) []Unit {
	var all []Unit
	for _, a := range s.Threads[i].Stack {
		for _, begin := range a.Units {
			stmt := s.Program.Functions[a.Function].Body[begin]
			all = append(all, Unit{stmt.Arg, stmt.Unit, stmt.With})
		}
	}
	return all
}

// unitOn returns the outermost unit that a thread has open on an object: the one
// that counts.
func (s *State) unitOn(i, object int) (Unit, bool) {
	for _, u := range s.units(i) {
		if u.Object == object {
			return u, true
		}
	}
	return Unit{}, false
}

// covers tells whether an access of a thread to a location is an event of its open
// unit on the object: the location is one of the object, or of a unitfor object of
// a unit that is open on it.
func (s *State) covers(i, object, location int) bool {
	of := s.Program.Locations[location].Object
	for _, u := range s.units(i) {
		if u.Object == object && (of == object || slices.Contains(u.With, of)) {
			return true
		}
	}
	return false
}

// started counts the copies of a process that are started, and those of them that
// are done.
func (s *State) started(process int) (started, done int) {
	for _, t := range s.Threads {
		if t.Process == process && t.Started {
			started++
			if t.Done {
				done++
			}
		}
	}
	return started, done
}

// Clone returns a copy that shares the threads; own makes one private.
func (s *State) Clone() *State {
	return &State{s.Program, slices.Clone(s.Threads), slices.Clone(s.Locks), slices.Clone(s.Flags),
		slices.Clone(s.Channels), s.Meeting, slices.Clone(s.Queues), slices.Clone(s.Counters), slices.Clone(s.Variables),
		s.Ended}
}

// own makes a thread, its stack and the top of that private to this state.
func (s *State) own(i int) *Thread {
	own := *s.Threads[i]
	t := &own
	s.Threads[i] = t
	t.Stack = slices.Clone(t.Stack)
	if len(t.Stack) > 0 {
		t.top().Units = slices.Clone(t.top().Units)
	}
	return t
}

// key returns a text that is the same for equal states of one program only.
func (s *State) key() string {
	var b []byte
	number := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	truth := func(v bool) {
		if v {
			number(1)
		} else {
			number(0)
		}
	}
	for _, t := range s.Threads {
		truth(t.Started)
		truth(t.Done)
		number(t.Parent)
		number(len(t.Within))
		for _, object := range t.Within {
			number(object)
		}
		number(len(t.Stack))
		for _, a := range t.Stack {
			number(a.Function)
			number(a.Next)
			number(len(a.Units))
			for _, u := range a.Units {
				number(u)
			}
		}
	}
	for _, l := range s.Locks {
		truth(l.Held)
		number(l.Readers)
		truth(l.Pending)
	}
	for _, f := range s.Flags {
		truth(f)
	}
	for _, c := range s.Channels {
		number(c.Count)
		for _, v := range c.Values {
			number(v)
		}
		truth(c.Closed)
	}
	truth(s.Meeting.Open)
	number(s.Meeting.Channel)
	number(s.Meeting.Sender)
	truth(s.Meeting.Passing)
	number(s.Meeting.Value)
	for _, q := range s.Queues {
		number(len(q))
		for _, i := range q {
			number(i)
		}
	}
	for _, n := range append(slices.Clip(s.Counters), s.Variables...) {
		number(n)
	}
	truth(s.Ended)
	return string(b)
}
