package knowledge

import "golang.org/x/tools/go/ssa"

// Class is the kinds of library functions that a function is of, as far as queries ask
// for all calls of one: a set, which is found once for a program.
type Class uint16

const (
	Locks             Class = 1 << iota // LockOperation
	WaitGroups                          // WaitGroupOperation
	Semaphores                          // SemaphoreOperation
	Flights                             // FlightOperation
	CondWaits                           // IsCondWait
	Onces                               // IsOnce
	Accessors                           // Accesses
	GoroutineEnds                       // EndsGoroutine
	ReflectedChannels                   // OperatesByReflection
	GroupLimits                         // IsSetLimit
	Atomics                             // IsAtomic
	Formatters                          // FormatsHanded
)

// ClassOf returns the kinds that fn is of.
func ClassOf(fn *ssa.Function) Class {
	class := Class(0)
	add := func(c Class, is bool) {
		if is {
			class |= c
		}
	}
	_, is := LockOperation(fn)
	add(Locks, is)
	_, is = WaitGroupOperation(fn)
	add(WaitGroups, is)
	_, is = SemaphoreOperation(fn)
	add(Semaphores, is)
	_, is = FlightOperation(fn)
	add(Flights, is)
	effect, is := Accesses(fn)
	add(Accessors, is && (effect.Reads || effect.Writes || !IsOpaque(fn)))
	add(CondWaits, IsCondWait(fn))
	add(Onces, IsOnce(fn))
	add(GoroutineEnds, EndsGoroutine(fn))
	add(ReflectedChannels, OperatesByReflection(fn))
	add(GroupLimits, IsSetLimit(fn))
	add(Atomics, IsAtomic(fn))
	add(Formatters, FormatsHanded(fn))
	return class
}
