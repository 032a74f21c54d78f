// Package serial decides whether a trace is conflict serializable: whether its transactions
// could have run one after the other, with every pair of conflicting events in the same order.
// This is the property that Velodrome (Flanagan, Freund and Yi, PLDI 2008) and AeroDrome
// (Mathur and Viswanathan, ASPLOS 2020) check.
//
// # What is decided
//
// A transaction is a begin of a thread, its matching end, and the events of the thread between
// them; begins inside it belong to it. An event outside is a transaction of its own, a unary
// one. An event happens before a later one if they are by the same thread, or if they are
//
//	w(x) and r(x), r(x) and w(x), or w(x) and w(x);
//	rel(l) and acq(l), rel(l) and racq(l), or rrel(l) and acq(l);
//	notify(l) and prewait(l) or postwait(l), in either order, which are a rel(l) and an acq(l), too;
//	any two of snd(c), rcv(c), cls(c), presnd(c) and postsnd(c);
//	fork(t) and an event of t;
//	an event of t and join(t).
//
// This is the table of package events: two operations conflict if the state may differ when they are swapped. So a
// transaction that sends on a channel without room, from presnd(c) to postsnd(c), is serializable with none that
// receives it.
//
// The transaction graph has an edge from A to B, A != B, if an event of A happens before one of
// B in this list. A trace is serializable if and only if the graph has no cycle. The checker
// stops at the first event that closes one. Traces need not be well formed: locks may be
// released by other threads, and threads may run before their fork.
//
// # Why it is exact
//
// Call a transaction live from its begin to its end. Events come in order, and an edge leads
// to the transaction of the later event, so only live transactions get edges, and a unary
// one only at its single event, before it has any successor. Hence a cycle is closed exactly by an event of a live
// transaction T that gets an edge from some P != T with a path from T to P.
//
// So of an ended transaction N nothing matters but L(N), the set of live transactions with
// a path to N: N closes a cycle with T if and only if T is in L(N), and an edge from N to T
// gives T, and what T reaches, L(N) as further ancestors. Two ended transactions with equal sets
// behave alike for ever. The checker therefore has no graph. It keeps, in bit sets,
//
//   - for each live T the live ancestors and the live descendants, transitively closed; and
//   - for each variable, lock, channel and thread, a reference to the transactions that a later event
//     may get edges from: `own`, those that are live themselves, and `done`, the union of
//     the sets of those that have ended. Only the last write of a variable and the reads after it, the
//     releases of a lock since the last holder's, and the last operation on a channel are needed: paths from
//     earlier ones lead through these.
//
// A set in a reference need not be closed, since T meets it if and only if it holds one of the
// live descendants of T: if A is in it and T reaches A, then A is such a descendant. New ancestors of
// live transactions need no update of references for the same reason.
//
// When T ends, its bit in a reference must give way to the ancestors that it then has. This
// is done when the reference is next used: each slot of the bit sets keeps, for its past
// transactions with ancestors, begin, end and these ancestors. A reference knows when it was last
// brought up to date; a bit whose slot has begun a new transaction since stands for the one
// that was live then, and is replaced by that one's set, which is brought up to date first and
// stays so (path compression). When as many past transactions are kept as there are
// references, all references are brought up to date and the past is forgotten. Variables, locks, channels and
// threads whose reference is empty then can be forgotten too.
//
// # Cost
//
// With k transactions live at once a set has k bits in ceil(k/64) words. An event
// that adds no edge between live transactions costs O(k) at worst and a few words typically; one that adds
// some, O(k) for each. Memory is O(k^2) and O(k) for each variable, lock, channel and thread
// that a live transaction reaches, and for a constant number besides.
package serial
