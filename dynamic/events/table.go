package events

// Op is what an event does.
type Op uint8

// The operations.
const (
	_ Op = iota

	// On a variable: a field of one object, a package variable, an element.
	Read
	Write
	Update // reads and writes in one step

	// On a lock.
	Lock
	Unlock
	RLock
	RUnlock
	TryFailed // somebody tried to take it and could not

	// On a condition variable. A wait is Prewait, Unlock, and then Postwait, Lock.
	Prewait
	Postwait
	Notify

	// On the counter of a WaitGroup.
	Add
	Done // Add of less than nothing
	Wait

	// On a channel. A send is Send if there is room; on a channel that has none it is Presend, the Receive
	// by another thread, and Postsend.
	Send
	Receive
	Close
	Presend
	Postsend
	Look // len, a default, a case of a select that was not taken

	// On a sync.Once: its function is called, has returned, or was called before.
	OnceBegin
	OnceEnd
	OnceDone

	// On a thread.
	Fork
	Join

	// Of the thread alone.
	Yield      // a yield annotation
	BlockBegin // of an atomic block, in which no yield counts
	BlockEnd
	Enter // a function, which Place names
	Leave
	End // the thread has no more events

	Gone // Object is a number that no variable, lock, ... has any more

	opEnd
)

// Kind is the kind of the object whose state an operation uses. Objects of different kinds have numbers of
// their own.
type Kind uint8

// The kinds.
const (
	Nothing Kind = iota
	Variable
	Mutex
	Condition
	Counter
	Channel
	Once
	Thread
)

// Mode is how an operation uses the state of its object.
type Mode uint8

// The modes. Operations of one mode commute, unless they change the state.
const (
	None    Mode = iota
	Observe      // its result depends on the state
	Adjust       // changes the state, in a way in which the order of several does not matter
	Change       // changes it in any way
)

// Conflict tells whether the state may differ when two operations on one object are swapped.
func (m Mode) Conflict(n Mode) bool {
	return m == Change || n == Change || m != n && m != None && n != None
}

// Row is what is known of an operation.
type Row struct {
	Name   string
	Kind   Kind
	Mode   Mode
	Yields bool // a yield comes before it, whether the program says so or not: it waits for others
	Point  bool // under preemptive semantics others interfere here: a shared access, or an acquire
	Ends   bool // ends what its thread has begun with another event on the object, which what came before concerns
}

// Table is the one table of conflicts: two operations of different threads conflict if they are on the same
// object and their modes do. Besides, an operation conflicts with all of its own thread, and a Fork or a
// Join with all of the thread that it names, and with each other.
//
// Readers of a lock do not conflict with each other, but a failed attempt to take the lock does with them. A
// channel is one state, as a lock is: what is sent next to what else depends on the order of all its operations. So
// a channel with room for one message is a mutex, and one without room has its edges from Presend to Receive
// to Postsend, with a yield before Postsend, since a plain edge both ways would be a cycle that no yield ends.
// Go wakes a waiting thread whether or not the lock is held, so Notify conflicts with both halves of a wait.
var Table = [opEnd]Row{
	Read:       {"read", Variable, Observe, false, true, false},
	Write:      {"write", Variable, Change, false, true, false},
	Update:     {"update", Variable, Change, false, true, false},
	Lock:       {"lock", Mutex, Change, false, true, false},
	Unlock:     {"unlock", Mutex, Change, false, false, true},
	RLock:      {"rlock", Mutex, Adjust, false, true, false},
	RUnlock:    {"runlock", Mutex, Adjust, false, false, true},
	TryFailed:  {"trylock-failed", Mutex, Observe, false, true, false},
	Prewait:    {"prewait", Condition, Observe, false, false, false},
	Postwait:   {"postwait", Condition, Observe, true, true, false},
	Notify:     {"notify", Condition, Adjust, false, false, false},
	Add:        {"add", Counter, Adjust, false, false, false},
	Done:       {"done", Counter, Adjust, false, false, false},
	Wait:       {"wait", Counter, Observe, true, true, false},
	Send:       {"send", Channel, Change, false, true, false},
	Receive:    {"receive", Channel, Change, false, true, false},
	Close:      {"close", Channel, Change, false, true, false},
	Presend:    {"presend", Channel, Change, false, true, false},
	Postsend:   {"postsend", Channel, Change, true, false, false},
	Look:       {"look", Channel, Observe, false, true, false},
	OnceBegin:  {"once-begin", Once, Change, false, true, false},
	OnceEnd:    {"once-end", Once, Change, false, false, true},
	OnceDone:   {"once-done", Once, Observe, false, true, false},
	Fork:       {"fork", Thread, None, false, false, false},
	Join:       {"join", Thread, None, true, true, false},
	Yield:      {"yield", Nothing, None, true, false, false},
	BlockBegin: {"begin", Nothing, None, false, false, false},
	BlockEnd:   {"end", Nothing, None, false, false, false},
	Enter:      {"enter", Nothing, None, false, false, false},
	Leave:      {"leave", Nothing, None, false, false, false},
	End:        {"ends", Nothing, None, false, false, false},
	Gone:       {"gone", Nothing, None, false, false, false},
}

func (op Op) String() string { return Table[op].Name }

// Kind is the kind of object that the operation is on.
func (op Op) Kind() Kind { return Table[op].Kind }

// Conflict tells whether two events conflict: whether the state may differ when they are swapped.
func Conflict(a, b Event) bool {
	if a.Thread == b.Thread {
		return true
	}
	if onThread(a, b.Thread) || onThread(b, a.Thread) || a.Op.Kind() == Thread && onThread(b, uint32(a.Object)) {
		return true
	}
	x, y := Table[a.Op], Table[b.Op]
	return x.Kind == y.Kind && a.Object == b.Object && x.Mode.Conflict(y.Mode) && x.Mode != None && y.Mode != None
}

// onThread tells whether an event forks or joins a thread.
func onThread(e Event, thread uint32) bool {
	return e.Op.Kind() == Thread && e.Object == uint64(thread)
}
