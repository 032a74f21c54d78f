// Package modref is the call graph with what calls may do: which memory they may read and
// write, whether they may access the atomic set, call back, start goroutines, panic or end the
// goroutine ("mod-ref summaries"; Empire report, section 5.1, steps 1 and 2, is the part of it
// that says what to keep).
//
// Facts over-approximate: what is not said to be possible does not happen in any run of the
// modelled program. They are found once for a query, when they are asked for first, each in
// time linear in the part of the call graph that it comes to.
package modref
