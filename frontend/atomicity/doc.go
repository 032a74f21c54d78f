// Package atomicity proves that a unit of work is effectively atomic: whatever others do in between, it
// does what it would do if it ran whole at one moment of its run. A violation between two such units is
// one by the letter only.
//
// # Why that is enough
//
// Let each path of a unit have a moment p, so that the results, the values that it leaves in shared
// memory, and whether it panics, are those of running it whole on the memory at p, and so that nobody
// can see or overwrite before or after p what it writes then. Then a run in which the unit takes part is
// one in which its effect happens at p, at once. That holds for any number of others, as nothing is
// assumed of them but what holds of the whole program. If it holds for both units of a violation, each
// interleaving of the two has the outcome of running them one after the other, in the order of their
// moments; and that is so whatever third units do. Units that do not come to an end are no part of
// this; so they must take locks in one order (AreHarmless), and rounds of a loop that nothing comes
// between must leave it.
//
// # Stages
//
//	accesses    what an instruction does to memory, by fields and package variables
//	held        which locks are held where, in every run
//	discipline  how the whole program accesses a variable: by which locks it is guarded, only by
//	            atomic operations, never written once it is shared, or otherwise
//	stamps      flags that are set once, versions that are counted up, and what is written only with them
//	sums        numbers that the program only adds to
//	movers      Lipton's reduction, of a whole unit and of what a path has left to do
//	terms       values of paths, by what they are computed from
//	closure     what follows from conditions: congruence closure, constants, linear orders
//	state, run, memory, compute, calls, loops
//	            all paths of a unit, while others write whatever they can in each gap
//	outcome     the same unit run whole at a moment of a path, and whether it does the same
//	prove       the proof of a unit
//
// # What is known of the memory in between
//
// What a variable holds at a time is a function of the variable and of the time from which on nobody
// else has written it: since the unit has taken a lock that all writers of the variable hold
// exclusively; always, if nobody writes it once it is shared; or else since now. So reads in one
// critical section see one value, and all other reads may see different ones. A write can be seen at
// another moment than its own only if a lock is held exclusively from the one to the other that all
// readers and writers hold. Variables are told apart by their fields, in all objects: two pointers of
// one type may be one, unless the conditions say otherwise; the path branches.
//
// A variable of which two accesses may race is not followed at all, nor is one whose address gets where
// its accesses are not seen.
//
// What is not followed ends the proof: channels, goroutines, clocks, random numbers, unknown calls. But
// where the rest of a path consists of left movers only, it is done at the moment at which it begins,
// whatever it computes; then the values that the rest depends on have to be those of the unit that runs
// whole. So looks before a long critical section are followed, and the section need not be.
package atomicity
