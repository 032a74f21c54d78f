// Command sort sorts slices.
package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

type pair struct {
	k string
	v int
}

type byValue []pair

func (b byValue) Len() int           { return len(b) }
func (b byValue) Less(i, j int) bool { return b[i].v < b[j].v }
func (b byValue) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func main() {
	var all []pair
	for i := range 40 {
		all = append(all, pair{fmt.Sprint("k", i), i * 7 % 10})
	}
	a := slices.Clone(all)
	sort.Slice(a, func(i, j int) bool { return a[i].v < a[j].v })
	fmt.Println(a)
	a = slices.Clone(all)
	sort.SliceStable(a, func(i, j int) bool { return a[i].v < a[j].v })
	fmt.Println(a)
	a = slices.Clone(all)
	sort.Sort(sort.Reverse(byValue(a)))
	fmt.Println(a)
	slices.SortFunc(a, func(x, y pair) int { return cmp.Or(cmp.Compare(x.v, y.v), strings.Compare(x.k, y.k)) })
	fmt.Println(a)
	m := map[string]int{"c": 3, "a": 1, "b": 2}
	fmt.Println(slices.Sorted(maps.Keys(m)), slices.Max([]float64{1, 3, 2}))
	s := []string{"b", "c", "a"}
	sort.Strings(s)
	i, ok := slices.BinarySearch(s, "c")
	fmt.Println(s, i, ok, sort.SearchInts([]int{1, 3, 5}, 4), slices.Index(s, "b"))
}
