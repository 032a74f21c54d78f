// Package racing finds the data races of a run while it runs: it becomes a part of the package runtime of a program,
// in the place of the library that go build -race links.
//
// The compiler's own instrumentation (its flag -race) calls package runtime at each access that may be shared, and
// packages runtime, sync and internal/poll say what they synchronise. Here these calls end in vector clocks in the way
// of FastTrack (Flanagan and Freund, PLDI 2009): of each eight bytes of memory a cell has the last write and the last
// read, each with the thread, its time, and which of the bytes it was; what these do not cover is in a list behind the
// cell. An access that its thread has made already, at the same time of its clock, is seen to be so by one comparison
// without a lock: the clock goes on only where the thread lets others go on. So the cost follows synchronisation.
//
// The files cell.go, clock.go and memory.go are compiled into package runtime as they are, with runtime.txt, which has
// what the compiler and the runtime call; platform_plain.go stands for that in the tests of this package. They use
// memory that is not of the garbage collector, and neither maps nor interfaces.
//
// Memory: 16 bytes for each eight in use, and 16 more for each eight that are accessed. Time for each access: that of a
// comparison, if it is like one before; else the number of threads that have accessed the bytes since they were
// written. Time for a release: the number of goroutines that there are at a time, if its thread has learned of others
// since the last one of the object.
package racing
