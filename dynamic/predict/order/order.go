// Package order is the partial order of a run: which events must come before which in every run that does the
// same as far as it can be told without looking at values.
//
// It is the partial order graph of Sinha, Malik, Wang and Gupta (Predictive analysis for detecting serializability
// violations through trace segmentation, section II-B): an event comes after the one before it in its thread, a read
// after the write that it has read from, and an operation of synchronisation after those that have let it go on. A
// mutex orders nothing: what holds one is told apart, since critical sections may change places.
//
// What is ordered by synchronisation is a table (rules): a fork comes before its thread, a join after it, a receive
// after its send, and operations whose order others would notice keep it, as two sends on a channel, whose messages
// would come in another order. So each message is received by the same receive in each of these runs, no channel
// holds more than it was seen to hold, each Wait waits for the same, and a TryLock that failed fails again.
//
// The graph is never stored. Each event has the vector of equation 1 of the paper: for each thread, the latest event
// of it that must come before. Vectors are made once, in the order of the run, from those of the predecessors, and
// shared as long as nothing new is learned. Of the events themselves only a window is kept, the latest ones.
package order

// Kind is what an event means once the order that synchronisation makes is in its vector.
type Kind uint8

// The kinds. Sync is every event that is no access and takes and releases no lock.
const (
	Read Kind = iota
	Write
	Update // reads and writes in one step
	Acquire
	ReadAcquire
	Release
	ReadRelease
	Sync
)

// Reads tells whether the event sees what was written before.
func (k Kind) Reads() bool { return k == Read || k == Update }

// Writes tells whether later reads see the event.
func (k Kind) Writes() bool { return k == Write || k == Update }

// IsAccess tells whether the event is of a variable.
func (k Kind) IsAccess() bool { return k <= Update }

// Acquires tells whether the event takes a lock.
func (k Kind) Acquires() bool { return k == Acquire || k == ReadAcquire }

// ID names an event: the thread, and its place in the thread, from 1. The zero ID is no event.
type ID struct{ Thread, Index int32 }

// Event is an event of the window.
type Event struct {
	Kind   Kind
	Object uint32 // the variable or the lock
	Ref    uint32 // the caller's
	ID
	Before *Clock // what must come before, of other threads
	Enter  *Clock // the same but for what a read reads from
	Writer ID     // of a read: the write that it has read from; zero for a value from before the run
	Pair   ID     // of an acquire the release, of a release the acquire; zero if there is none in the run so far
	Held   *Held  // the locks that the thread holds after it
}

// Held is a lock that a thread holds, and what it holds besides.
type Held struct {
	Acquire ID
	Lock    uint32
	Shared  bool // for reading
	Next    *Held
}

// Has tells whether a critical section is among those that a thread is in.
func (x *Held) Has(acquire ID) bool {
	for ; x != nil; x = x.Next {
		if x.Acquire == acquire {
			return true
		}
	}
	return false
}

// Excludes tells whether another thread cannot hold the other lock at the same time.
func (x *Held) Excludes(y *Held) bool { return x.Lock == y.Lock && !(x.Shared && y.Shared) }

// Clock is a vector: for each thread the index of an event. It does not change.
type Clock struct{ at []int32 }

// At is the index for a thread, 0 for none.
func (c *Clock) At(thread int32) int32 {
	if int(thread) < len(c.at) {
		return c.at[thread]
	}
	return 0
}

// Len is one more than the last thread that the clock has an event of.
func (c *Clock) Len() int { return len(c.at) }

// CopyTo copies the clock to indices by thread that are 0.
func (c *Clock) CopyTo(at []int32) { copy(at, c.at) }

// Follows tells whether an event must come before this one (MHB of the paper).
func (e *Event) Follows(id ID) bool {
	if e.Thread == id.Thread {
		return id.Index < e.Index
	}
	return e.Before.At(id.Thread) >= id.Index
}

// Parallel tells whether no order of two events is forced (MHP of the paper).
func (e *Event) Parallel(f *Event) bool { return e.ID != f.ID && !e.Follows(f.ID) && !f.Follows(e.ID) }

// gathered is a vector that grows: what must come before an event that comes after all of those that were added.
type gathered struct{ at []int32 }

func (g *gathered) grow(n int) {
	if n > len(g.at) {
		g.at = append(g.at, make([]int32, n-len(g.at))...)
	}
}

// add adds an event and what comes before it.
func (g *gathered) add(e ID, before *Clock) {
	g.grow(max(int(e.Thread)+1, len(before.at)))
	for i, n := range before.at {
		g.at[i] = max(g.at[i], n)
	}
	g.at[e.Thread] = max(g.at[e.Thread], e.Index)
}

// has tells whether a clock has an event, and then what comes before that as well.
func (c *Clock) has(id ID) bool { return c.At(id.Thread) >= id.Index }

// with is the clock of a thread that has learned of an event and of what comes before it.
func (c *Clock) with(own int32, e ID, before []int32) *Clock {
	news := e.Thread != own && c.At(e.Thread) < e.Index
	for i := 0; !news && i < len(before); i++ {
		news = int32(i) != own && before[i] > c.At(int32(i))
	}
	if !news {
		return c
	}
	next := &Clock{make([]int32, max(len(c.at), len(before), int(e.Thread)+1))}
	copy(next.at, c.at)
	for i, n := range before {
		next.at[i] = max(next.at[i], n)
	}
	next.at[e.Thread] = max(next.at[e.Thread], e.Index)
	return next
}
