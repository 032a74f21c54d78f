package blocking

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// tree is a map from numbers that does not change: a big-endian Patricia tree (Okasaki and Gill, Fast Mergeable Integer
// Maps, ML 1998). What is changed is another tree that shares all but the way to the change. A set of keys has one
// shape, so that two trees are compared and numbered without looking at what they share. nil is the one without keys.
type tree[V any] struct {
	key         uint64 // of a leaf; else the bits that all keys begin with
	bit         uint64 // the first one in which keys differ; 0 in a leaf
	left, right *tree[V]
	value       V   // of a leaf
	number      int // see numbers; 0: it has none yet
}

// at returns the value of a key.
func (t *tree[V]) at(key uint64) (v V, ok bool) {
	if t = t.within(key, 0); t == nil {
		return v, false
	}
	return t.value, true
}

func (t *tree[V]) has(key uint64) bool { return t.within(key, 0) != nil }

// covers tells whether a key begins as those of a tree do, which is no leaf.
func (t *tree[V]) covers(key uint64) bool { return t.bit != 0 && key&^(t.bit<<1-1) == t.key }

// within returns the tree of the keys that are like one, but for some of the last bits: low is 0, or 1, or 3, or 7, ...
func (t *tree[V]) within(key, low uint64) *tree[V] {
	for t != nil && t.bit > low {
		if !t.covers(key) {
			return nil
		}
		t = *t.half(key)
	}
	if t == nil || t.key&^low != key&^low {
		return nil
	}
	return t
}

// half returns in which half a key belongs.
func (t *tree[V]) half(key uint64) **tree[V] {
	if key&t.bit == 0 {
		return &t.left
	}
	return &t.right
}

// with returns the tree in which a key has a value.
func (t *tree[V]) with(key uint64, v V) *tree[V] {
	leaf := &tree[V]{key: key, value: v}
	switch {
	case t == nil, t.bit == 0 && t.key == key:
		return leaf
	case t.covers(key):
		other := &tree[V]{key: t.key, bit: t.bit, left: t.left, right: t.right}
		half := other.half(key)
		*half = (*half).with(key, v)
		return other
	}
	bit := uint64(1) << (63 - bits.LeadingZeros64(key^t.key))
	fork := &tree[V]{key: key &^ (bit<<1 - 1), bit: bit, left: t, right: t}
	*fork.half(key) = leaf
	return fork
}

// without returns the tree without the keys that are like one, but for some of the last bits: see within.
func (t *tree[V]) without(key, low uint64) *tree[V] {
	switch {
	case t == nil:
		return nil
	case t.bit <= low:
		if t.key&^low == key&^low {
			return nil
		}
		return t
	case !t.covers(key):
		return t
	}
	half := *t.half(key)
	rest := half.without(key, low)
	if rest == half {
		return t
	}
	other := &tree[V]{key: t.key, bit: t.bit, left: t.left, right: t.right}
	*other.half(key) = rest
	switch {
	case other.left == nil:
		return other.right
	case other.right == nil:
		return other.left
	}
	return other
}

// all yields the keys and values, ascending.
func (t *tree[V]) all(yield func(uint64, V) bool) { t.each(yield) }

func (t *tree[V]) each(yield func(uint64, V) bool) bool {
	switch {
	case t == nil:
		return true
	case t.bit == 0:
		return yield(t.key, t.value)
	}
	return t.left.each(yield) && t.right.each(yield)
}

// differences calls do for the keys that one of two trees does not have, and, unless they share it, for those that both
// have. nil stands for no value.
func differences[V any](t, u *tree[V], do func(key uint64, a, b *V)) {
	switch {
	case t == u:
	case t == nil && u.bit == 0:
		do(u.key, nil, &u.value)
	case u == nil && t.bit == 0:
		do(t.key, &t.value, nil)
	case t == nil:
		differences(nil, u.left, do)
		differences(nil, u.right, do)
	case u == nil:
		differences(t.left, nil, do)
		differences(t.right, nil, do)
	case t.key == u.key && t.bit == u.bit && t.bit == 0:
		do(t.key, &t.value, &u.value)
	case t.key == u.key && t.bit == u.bit:
		differences(t.left, u.left, do)
		differences(t.right, u.right, do)
	case t.bit > u.bit && t.covers(u.key):
		left, right := u, u
		if *t.half(u.key) == t.left {
			right = nil
		} else {
			left = nil
		}
		differences(t.left, left, do)
		differences(t.right, right, do)
	case u.bit > t.bit && u.covers(t.key):
		differences(u, t, func(key uint64, b, a *V) { do(key, a, b) })
	default:
		differences(t, nil, do)
		differences(nil, u, do)
	}
}

// numbers gives equal trees one number, and others another one (hash consing). Only what is new in a tree is looked at.
type numbers[V any] struct {
	write    func(V, *strings.Builder) // a text that is the same for equal values only
	leaves   map[string]int
	branches map[[2]int]int // by the numbers of the halves, which say where they differ
}

func newNumbers[V any](write func(V, *strings.Builder)) *numbers[V] {
	return &numbers[V]{write: write, leaves: map[string]int{}, branches: map[[2]int]int{}}
}

// of returns the number of a tree.
func (n *numbers[V]) of(t *tree[V]) int {
	if t == nil {
		return 0
	}
	if t.number != 0 {
		return t.number
	}
	if t.bit == 0 {
		var b strings.Builder
		b.Write(binary.AppendUvarint(nil, t.key))
		n.write(t.value, &b)
		t.number = numberIn(n, n.leaves, b.String())
	} else {
		t.number = numberIn(n, n.branches, [2]int{n.of(t.left), n.of(t.right)})
	}
	return t.number
}

// numberIn returns the number of a part of trees: the next one, if it has none.
func numberIn[V any, K comparable](n *numbers[V], all map[K]int, k K) int {
	number, ok := all[k]
	if !ok {
		number = len(n.leaves) + len(n.branches) + 1
		all[k] = number
	}
	return number
}
