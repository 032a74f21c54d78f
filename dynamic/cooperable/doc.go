// Package cooperable decides whether a trace is cooperable: whether yields document all interference between its
// threads (Yi, Sadowski and Flanagan, PPoPP 2011). It checks yields (the paper's Copper) and infers them (Silver).
//
// # What is decided
//
// The yields of a thread cut what it does into transactions. A yield is an event of the trace, or comes with an event
// that waits for others (events.Event.Yields); within an atomic block none counts. The transaction graph
// has an edge from one transaction to another if an event of the first comes before one of the second
// and the two conflict (events.Conflict). A trace is serializable, which means that its transactions could
// have run one after the other, if and only if the graph has no cycle.
//
// An event closes a cycle if its transaction comes before that of an earlier event that it conflicts with. That is a
// violation; a yield directly before the event would end the cycle, since what follows it comes before nothing
// yet. Checking goes on without the edges to that event; inference puts the yield there and goes on with
// them. So the events at which a yield is inferred are each necessary: without one of them, and with all others,
// the trace is not serializable. By places of the program this need not hold: a place is passed many times.
//
// # How
//
// Only the current transactions of threads are live, and an edge leads to a live one. For each live transaction
// the checker knows, of each thread, the first transaction that it comes before, which it thereby comes before
// all later ones of. An edge from N to T closes a cycle if T comes before N: one look into a table. Else all live
// transactions that come before N now come before T and what T comes before. Of ended transactions nothing is
// kept but what the last accesses to each object name, and that only as long as a live transaction comes before them.
// With each entry of the table stands the last edge of a path, so that a cycle is shown as a path of events.
package cooperable
