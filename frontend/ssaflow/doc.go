// Package ssaflow is the control flow and data flow of one function in SSA form, by the
// textbook's names: dominance, reachability, natural loops and how often they run, liveness,
// what a value is computed from, and which variables stay with their function.
//
// It needs nothing but the function and what is known of library calls (package knowledge),
// and guarantees that each answer holds on every path of the function: "precedes", "dominates"
// and "in loop" are must-facts, "reaches" and "live" may-facts. Each is computed when it is
// asked for first, in time linear in the function unless its documentation says otherwise.
package ssaflow
