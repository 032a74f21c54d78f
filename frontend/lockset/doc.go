// Package lockset says which locks are held where: the critical sections of a node (Sections),
// whether all ways between two places take and release the same locks (LocksDiffer), the lock
// that a condition variable has (CondLockIn), and objects of which each access is made with the
// object's own lock held (OwnLocks).
//
// Locks are named by cells of the points-to analysis, or by paths from the isolated object. A
// lock that is said to be held is held in every run (must); calls of what may operate on the
// lock end a section.
package lockset
