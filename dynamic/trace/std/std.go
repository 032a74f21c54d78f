// Package std is the STD text format of traces, which RAPID and other atomicity and race
// tools read: one event a line,
//
//	T0|w(V1)|42
//
// the thread, the operation, and the place in the program. The operations are r(V) and w(V)
// on a variable, acq(L) and rel(L) on a lock, fork(T) and join(T) on a thread, and begin and
// end of a transaction; these two may have an argument, which means nothing. This package
// adds, for what Go has besides:
//
//	yield                              a point at which others may come in between
//	racq(L), rrel(L)                   a lock for reading
//	prewait(L), postwait(L)            the two halves of a wait, which releases L and takes it again
//	notify(L)                          wakes who waits for L
//	snd(C), rcv(C), cls(C)             on a channel with room; the send of one without is
//	presnd(C), postsnd(C)              these two, with the receive between them
//
// The place may be left out. Threads, locks, variables and channels are named by any characters
// but "|" and line ends; spaces around a name do not count. Empty lines are skipped.
package std

import "strconv"

// Op is an operation.
type Op uint8

// The operations.
const (
	_ Op = iota
	Read
	Write
	Acquire
	Release
	Fork
	Join
	Begin
	End
	Yield
	ReadAcquire
	ReadRelease
	Prewait
	Postwait
	Notify
	Send
	Receive
	Close
	Presend
	Postsend
)

var opNames = [...]string{Read: "r", Write: "w", Acquire: "acq", Release: "rel", Fork: "fork", Join: "join",
	Begin: "begin", End: "end", Yield: "yield", ReadAcquire: "racq", ReadRelease: "rrel", Prewait: "prewait",
	Postwait: "postwait", Notify: "notify", Send: "snd", Receive: "rcv", Close: "cls", Presend: "presnd",
	Postsend: "postsnd"}

// String is the operation as it stands in a file.
func (op Op) String() string {
	if op == 0 || int(op) >= len(opNames) {
		return "op" + strconv.Itoa(int(op))
	}
	return opNames[op]
}

// kind of thing that an operation names.
type kind uint8

const (
	nothing kind = iota
	variable
	lock
	thread
	channel
)

var operands = [...]kind{Read: variable, Write: variable, Acquire: lock, Release: lock, Fork: thread, Join: thread,
	Begin: nothing, End: nothing, Yield: nothing, ReadAcquire: lock, ReadRelease: lock, Prewait: lock, Postwait: lock,
	Notify: lock, Send: channel, Receive: channel, Close: channel, Presend: channel, Postsend: channel}

// Event is one line. Thread and Operand are numbers of the Scanner's tables: of a variable, a
// lock, a thread or a channel, as the operation is; 0 for Begin, End and Yield.
type Event struct {
	Op              Op
	Thread, Operand uint32
	Line            int
}

// Line is one event with its names.
type Line struct {
	Thread  string
	Op      Op
	Operand string
	Place   string
}

// AppendTo appends the line as it stands in a file, with its line end.
func (l Line) AppendTo(dst []byte) []byte {
	dst = append(dst, l.Thread...)
	dst = append(dst, '|')
	dst = append(dst, l.Op.String()...)
	if operands[l.Op] != nothing {
		dst = append(dst, '(')
		dst = append(dst, l.Operand...)
		dst = append(dst, ')')
	}
	if l.Place != "" {
		dst = append(dst, '|')
		dst = append(dst, l.Place...)
	}
	return append(dst, '\n')
}

func (l Line) String() string {
	text := l.AppendTo(nil)
	return string(text[:len(text)-1])
}
