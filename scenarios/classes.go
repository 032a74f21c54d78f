package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Class is a kind of concurrency error in the uniform classification of Fiedor, Křena, Letko and Vojnar (2010),
// with what it means in Go. Every finding has one.
type Class struct {
	Name       string // short name used in output and by check --class, as "deadlock"
	Title      string
	Definition int      // its number in the classification
	Means      string   // in one sentence
	InGo       string   // how it comes about in Go
	Shown      string   // how a finding is shown
	Example    []string // a tiny Go example, as that of a Scenario
	Blocking   bool     // it is about what waits, or comes in the wrong order: see ClassNames
}

// Classes is all classes, in the order of their definitions.
var Classes = []Class{
	{Name: "data-race", Title: "data race", Definition: 1,
		Means: "Two accesses to one variable that nothing orders, one of them a write.",
		InGo: "Two goroutines access a variable, one of them writes it, and no lock, channel, wait group or atomic " +
			"operation lies between: the memory model gives the result no meaning.",
		Shown: "The two accesses, enabled at the same moment, beside the violations of the atomic set that they are of; " +
			"with check --class data-race for all memory that goroutines share: fields of types, package variables, what " +
			"a function makes. On a run (run --class data-race, test --class data-race): both accesses, and where their " +
			"goroutines were started, for the first race on each variable, whatever it belongs to.",
		Example: []string{"1: c.count++", "2: c.count++"}},
	{Name: "atomicity", Title: "atomicity violation", Definition: 2,
		Means:   "An execution that is like none in which the blocks meant to be atomic run one after the other.",
		InGo:    "Fields that belong together are read or written in two critical sections, and others come in between.",
		Shown:   "As one of the scenarios (empire-go explain): the two units of work, the interleaving, the harm.",
		Example: []string{"1: n := c.Len()", "2: c.Clear()", "1: return c.At(n - 1) // c is empty now"}},
	{Name: "order", Title: "order violation", Definition: 3,
		Means: "Operations that are not executed in the order that is expected of them.",
		InGo: "A send on a channel that is closed, a channel closed twice, a counter of a wait group below zero, a lock " +
			"released that nobody holds, a pointer used that another goroutine has yet to set, or has set to nil: each ends " +
			"the program. Add to a wait group of zero that somebody is about to wait for: Wait may return before. A " +
			"report to a test that has ended, by a goroutine that it leaves behind.",
		Shown: "The interleaving that leads to the operation, and the state in which it ends the program, or in which " +
			"either of two may come first. On a run (run --blocked): the operation that ended it, and who had come before " +
			"it, as the goroutine that had closed the channel; also nil that was used after another goroutine had set a " +
			"variable to it, or before one had set it, and an Add that nothing orders behind a Wait. Predicted (run " +
			"--predict --class order): a close that can come before a send, a Wait before an Add, a Done before any Add, " +
			"and nil before, or after, the variable has a value. Use after Close of what is no channel returns an error: " +
			"it is not told.",
		Example:  []string{"1: close(c.events)", "2: c.events <- e // panics"},
		Blocking: true},
	{Name: "deadlock", Title: "deadlock", Definition: 4,
		Means: "Goroutines that wait for each other: what would let one go on, only another one of them could do.",
		InGo: "Locks taken in different orders, a lock taken twice, a read lock taken again while a writer waits, a lock " +
			"held while the goroutine waits for one that needs the lock.",
		Shown:    "Who holds what and waits for whom, and the interleaving that leads there.",
		Example:  []string{"1: a.Lock()", "2: b.Lock()", "1: b.Lock() // for ever", "2: a.Lock() // for ever"},
		Blocking: true},
	{Name: "missed-signal", Title: "missed signal", Definition: 5,
		Means: "A signal that reaches nobody, and somebody who waits for it afterwards.",
		InGo: "Signal or Broadcast before the goroutine waits, a send that is left out because nobody receives yet, a " +
			"condition that becomes true without a signal.",
		Shown: "The goroutine that waits, and the interleaving in which the signal came too early, or not at all. On a " +
			"run: the last signal that nobody waited for, the send that was left out, or the change of what it had looked " +
			"at that nobody has signalled. Predicted: the last signal of a condition, or a send that may be left out, can " +
			"come before the wait.",
		Example:  []string{"1: cond.Broadcast()", "2: cond.Wait() // for ever"},
		Blocking: true},
	{Name: "starvation", Title: "starvation", Definition: 6,
		Means: "A goroutine waits for an event that need not occur.",
		InGo: "The genus of the others: of what can be waited for in vain, what is certain is reported as a deadlock, a " +
			"missed signal or a blocked goroutine. What can always still occur is not reported.",
		Shown:   "As one of those.",
		Example: []string{"1: for !ready.Load() {", "2: ready.Store(true) // at some time", "1: }"}},
	{Name: "no-progress", Title: "non-progress behaviour", Definition: 7,
		Means: "A goroutine keeps running without getting on.",
		InGo: "A loop that does nothing but look again and again - at a variable, at a channel without waiting, at a lock " +
			"with TryLock - for a change that nobody makes any more.",
		Shown: "Where it goes round, what would let it go on, and the interleaving after which nobody is left to do that. " +
			"On a run (run --blocked): a goroutine that was still running at its end, had looked at the same a hundred " +
			"times and more, and had done nothing else that is recorded, in a loop that ends by what it sees. That nobody " +
			"was left who could change it is certain only if all others had ended, wait for ever, or go round as well, and " +
			"if the loop is around the look; else it is as far as the run went. A loop without anything that is shared " +
			"leaves no record, and is not told from one that computes. It is not predicted: that a loop is not left is a " +
			"matter of what it would see, and one run says no more than what it has seen.",
		Example:  []string{"1: for !done.Load() {", "1: } // nobody sets done"},
		Blocking: true},
	{Name: "livelock", Title: "livelock", Definition: 8,
		Means: "Goroutines run in loops for ever which only one of them could end.",
		InGo: "Each takes one lock, fails to take another one with TryLock, releases the first, and tries again; or each " +
			"sets a flag, sees that the other one has set his, clears its own, and sets it again.",
		Shown: "What each of them tries in vain, the interleaving that leads there, and one round of all of them: they can " +
			"take the same steps again and again, and nobody else could take another one for ever without. In the next " +
			"round one may get on, so that it is a warning and no run confirms it; where none ever can, it is non-progress " +
			"behaviour. Pauses are not known: those of random lengths make it unlikely. On a run (run --blocked): goroutines " +
			"that fail a hundred times and more, one after the other, to get the lock that another one of them has. It is " +
			"not predicted, as no-progress is not.",
		Example: []string{"1: a.Lock(); b.TryLock()", "2: b.Lock(); a.TryLock()", "1: a.Unlock() // again",
			"2: b.Unlock() // again"},
		Blocking: true},
	{Name: "blocked", Title: "blocked goroutine", Definition: 9,
		Means: "A goroutine waits for an event that never occurs.",
		InGo: "A sender whose receiver has returned, a receiver of a channel that nobody closes, a lock that its holder " +
			"has not released, a wait group that nobody counts down, a context that nobody cancels: the goroutine leaks.",
		Shown:    "Where it waits, what would let it go on, and the interleaving after which nobody is left to do that.",
		Example:  []string{"1: ch <- result // for ever", "2: case <-ctx.Done(): return // without receiving"},
		Blocking: true},
}

// ID is the stable id of a finding of the class, by what is told of it in any order.
func (c Class) ID(parts ...string) string {
	parts = slices.Sorted(slices.Values(parts))
	sum := sha256.Sum256([]byte(c.Name + "\n" + strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:4])
}

// ClassByName returns the class with a name, or a title.
func ClassByName(name string) (Class, bool) {
	i := slices.IndexFunc(Classes, func(c Class) bool { return c.Name == name || c.Title == name })
	if i < 0 {
		return Class{}, false
	}
	return Classes[i], true
}

// AskedClasses returns the names of the classes that check --class knows: data races, and those of ClassNames.
func AskedClasses() []string { return append([]string{DataRaceClass}, ClassNames()...) }

// DataRaceClass is the name of the class of data races.
const DataRaceClass = "data-race"

// ClassNames returns the names of the classes that check --class looks for.
func ClassNames() (all []string) {
	for _, c := range Classes {
		if c.Blocking {
			all = append(all, c.Name)
		}
	}
	return all
}
