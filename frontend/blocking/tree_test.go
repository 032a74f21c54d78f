package blocking

import (
	"maps"
	"math/rand"
	"strconv"
	"strings"
	"testing"
)

// TestTree holds trees to maps: what they have, where two differ, and that equal ones have one number.
func TestTree(t *testing.T) {
	r := rand.New(rand.NewSource(rand.Int63()))
	n := newNumbers(func(v int, b *strings.Builder) { b.WriteString(strconv.Itoa(v)) })
	type pair struct {
		tree *tree[int]
		is   map[uint64]int
	}
	all := []pair{{nil, map[uint64]int{}}}
	key := func() uint64 { return uint64(r.Intn(6))<<halfKey | uint64(r.Intn(2))<<63 | uint64(r.Intn(6)) }
	for range 3000 {
		old := all[r.Intn(len(all))]
		next := pair{old.tree, maps.Clone(old.is)}
		for range 1 + r.Intn(8) {
			switch k, v := key(), r.Intn(3); r.Intn(5) {
			case 0:
				next.tree = next.tree.without(k, 0)
				delete(next.is, k)
			case 1:
				next.tree = next.tree.without(k, anyPath)
				maps.DeleteFunc(next.is, func(other uint64, _ int) bool { return other>>halfKey == k>>halfKey })
			default:
				next.tree = next.tree.with(k, v)
				next.is[k] = v
			}
		}
		all = append(all, next)
		if !maps.Equal(maps.Collect(next.tree.all), next.is) {
			t.Fatalf("%v is not %v", maps.Collect(next.tree.all), next.is)
		}
		k := key()
		if v, ok := next.tree.at(k); v != next.is[k] || ok != next.tree.has(k) {
			t.Fatalf("%d at %d of %v", v, k, next.is)
		}
		part := maps.Clone(next.is)
		maps.DeleteFunc(part, func(other uint64, _ int) bool { return other>>halfKey != k>>halfKey })
		if got := maps.Collect(next.tree.within(k, anyPath).all); !maps.Equal(got, part) {
			t.Fatalf("within %d of %v is %v", k, next.is, got)
		}
		other := all[r.Intn(len(all))]
		if (n.of(next.tree) == n.of(other.tree)) != maps.Equal(next.is, other.is) {
			t.Fatalf("numbers %d of %v and %d of %v", n.of(next.tree), next.is, n.of(other.tree), other.is)
		}
		changed := maps.Clone(next.is)
		differences(next.tree, other.tree, func(k uint64, a, b *int) {
			if v, ok := next.is[k]; ok != (a != nil) || ok && v != *a {
				t.Fatalf("%v of %v at %d", a, next.is, k)
			}
			if delete(changed, k); b != nil {
				changed[k] = *b
			}
		})
		if !maps.Equal(changed, other.is) {
			t.Fatalf("the differences lead from %v to %v, not to %v", next.is, changed, other.is)
		}
	}
}
