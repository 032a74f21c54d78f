// Command look_again has pieces of code that look twice at something, but go on with what
// the first look has left behind.
package main

import "sync"

// Flag notes in a flag what it saw.
type Flag struct {
	mu    sync.Mutex
	level int
	alarm int
}

// Set sets both fields.
func (x *Flag) Set(level int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.level = level
	x.alarm = level
}

// Check raises the alarm if the level is high.
func (x *Flag) Check() {
	high := false
	x.mu.Lock()
	if x.level > 3 {
		high = true
	}
	x.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if high {
		x.alarm = 1
	}
}

// Trace notes in memory what it saw.
type Trace struct {
	mu    sync.Mutex
	level int
	alarm int
}

// Set sets both fields.
func (x *Trace) Set(level int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.level = level
	x.alarm = level
}

// Check raises the alarm if the level is high.
func (x *Trace) Check() {
	seen := newMark()
	x.mu.Lock()
	if x.level > 3 {
		seen.high = true
	}
	x.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.level > 3 {
		println("still high")
	}
	if seen.high {
		x.alarm = 1
	}
}

// Operand has two limits.
type Operand struct {
	mu    sync.Mutex
	level int
	alarm int
}

// Set sets both fields.
func (x *Operand) Set(level int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.level = level
	x.alarm = level
}

// Check raises the alarm if the level is neither high nor very high.
func (x *Operand) Check() {
	limit := 3
	x.mu.Lock()
	if x.level > limit {
		x.mu.Unlock()
		return
	}
	x.mu.Unlock()
	limit = 9
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.level > limit {
		return
	}
	x.alarm = 1
}

// Late decides too late.
type Late struct {
	mu    sync.Mutex
	level int
	alarm int
}

// Set sets both fields.
func (x *Late) Set(level int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.level = level
	x.alarm = level
}

// Check raises the alarm, and takes it back if the level is high.
func (x *Late) Check() {
	x.mu.Lock()
	if x.level > 3 {
		x.mu.Unlock()
		return
	}
	x.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	level := x.level
	x.alarm = 1
	if level > 3 {
		x.alarm = 0
	}
}

// Deferred leaves the last word to a deferred function.
type Deferred struct {
	mu    sync.Mutex
	level int
	alarm int
}

// Set sets both fields.
func (x *Deferred) Set(level int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.level = level
	x.alarm = level
}

// Check raises the alarm to the level, if that is low.
func (x *Deferred) Check() {
	x.mu.Lock()
	level := x.level
	x.mu.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.raise(level)
	if x.level > 3 {
		return
	}
}

// raise sets the alarm. The caller has the lock.
func (x *Deferred) raise(level int) {
	x.alarm = level
}

type mark struct{ high bool }

var marks []*mark

func newMark() *mark {
	m := &mark{}
	marks = append(marks, m)
	return m
}

func main() {
	flag, trace, operand, late, deferred := &Flag{}, &Trace{}, &Operand{}, &Late{}, &Deferred{}
	flag.Set(5)
	var all sync.WaitGroup
	all.Go(func() {
		flag.Set(4)
		trace.Set(4)
		operand.Set(4)
		late.Set(4)
		deferred.Set(4)
	})
	flag.Check()
	trace.Check()
	operand.Check()
	late.Check()
	deferred.Check()
	all.Wait()
}
