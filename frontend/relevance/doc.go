// Package relevance says where a value that was read of the atomic set no longer matters
// (scenarios.md, "Reads that are checked again"): nothing computed from it is live and its
// branches have closed, or it is read and decided on again, or the iteration that read it did
// nothing (Flanagan, Freund and Qadeer, Exploiting Purity for Atomicity, IEEE TSE 31(4), 2005), or
// it flows into output only, or is half of an increment whose result is dropped.
//
// It is a data-flow analysis over the values of package mustalias. In functions that are too
// large every read counts.
package relevance
