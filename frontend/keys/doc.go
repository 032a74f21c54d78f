// Package keys tells the entries of one map apart: which keys are one, and which are provably
// others.
//
// The entries of a map are memory cells, so locations of the atomic set. Where a field of the set
// is a map, the model has a location for each class of keys:
//
//   - one for each constant that the program uses as a key,
//   - two isolated keys, of those that are made so that no two are one (see Origin): tickets of a
//     counter, new objects, the number of the goroutine in its loop. As with random isolation of
//     objects, each origin makes an isolated key once at most, and any key may be the isolated one.
//     Two locations of one map are two different entries, and no violation needs three,
//   - the rest: all other keys, the map itself, and what its entries lead to.
//
// A key of which nothing is known may be in any class. What touches the whole map (range, len,
// clear, what is not understood) touches the locations of all classes. Merging classes merges
// locations, which loses no violation: two units whose accesses to entries cannot be put in any
// order cannot be put in any order where the entries are one location.
//
// The elements of an array or slice are told apart in the same way by their indices, where locks in
// a sibling array or slice guard them: two isolated indices, the same for all these fields. Other
// elements are no locations, other locks no locks of the model (see FindIndices).
//
// The package knows nothing of paths through functions: what a value is on one path is a tag
// (package tag), which the lowering carries.
package keys
