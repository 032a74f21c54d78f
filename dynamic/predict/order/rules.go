package order

// Op is an operation of a run.
type Op uint8

// The operations. Object is a variable for accesses, a lock, a channel, a condition, a counter that is waited for,
// or a thread for Fork and Join.
const (
	OpRead Op = iota
	OpWrite
	OpUpdate
	OpAcquire
	OpReadAcquire
	OpRelease
	OpReadRelease
	OpPrewait   // waits for a notify of a condition; releasing its lock is another event, as is taking it again
	OpPostwait  // has been woken
	OpNotify    // wakes who waits
	OpTryFailed // did not get a lock, because it was held
	OpFork
	OpJoin
	OpSend
	OpReceive
	OpClose
	OpPresend  // a send on a channel without room comes to the channel,
	OpPostsend // and goes on after the receive
	OpLook     // sees how full a channel is: len, or a select that finds nobody
	OpAdd
	OpDone
	OpWait
	OpRan     // the function of a Once has returned
	OpHasRun  // a Do has returned without calling it
	OpWoken   // a Wait of a condition has returned; its lock is not known
	OpEnd     // the thread has no more events
	OpNothing // an event that concerns no other thread
)

// class is what an operation is to others on its object.
type class uint8

const (
	sends class = 1 << iota
	receives
	closes
	looks
	waits
	notifies
	adds
	dones
)

// rule is how an operation is ordered with earlier ones on its object: of the classes in after, all come before it.
// What is not listed may change places with it.
type rule struct{ is, after class }

// rules is the table of conflicts of synchronisation. Where two operations commute they are not ordered: two Done,
// two looks. Locks are not here.
var rules = [...]rule{
	OpSend:     {sends, sends | closes | looks},
	OpPresend:  {sends, sends | closes | looks},
	OpReceive:  {receives, receives | closes | looks}, // and its own send
	OpClose:    {closes, sends | receives | closes | looks},
	OpLook:     {looks, sends | receives | closes},
	OpPrewait:  {waits, waits | notifies}, // who waits longest is woken first
	OpNotify:   {notifies, waits},
	OpPostwait: {0, notifies},
	OpAdd:      {adds, waits},
	OpDone:     {dones, adds | waits},
	OpWait:     {waits, adds | dones},
	OpRan:      {dones, 0},
	OpHasRun:   {0, dones},
	OpEnd:      {},
	OpNothing:  {},
}

// classes is how many bits a class has.
const classes = 8

// object is what is synchronised by: a channel, a condition, a counter.
type object struct {
	by [classes]gathered // the events of each class

	// of a channel
	messages []ID // sends that no receive has been seen of, the oldest first
	before   []*Clock
	received int // how many receives there were
	sent     int
	room     int      // how many messages it is known to hold while their senders go on
	freed    []signal // receives that make room, by number, as far as a send may need them
	first    int      // the number of the first of them
	closed   bool
}

// signal is an event with what comes before it.
type signal struct {
	ID
	before *Clock
}
