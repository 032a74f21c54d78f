// Command deepequal compares values.
package main

import (
	"fmt"
	"math"
	"reflect"
)

type node struct {
	value int
	next  *node
	data  map[string][]int
}

func ring(n int) *node {
	first := &node{value: 0}
	last := first
	for i := 1; i < n; i++ {
		last.next = &node{value: i}
		last = last.next
	}
	last.next = first
	return first
}

func main() {
	f := func() {}
	for _, pair := range [][2]any{
		{1, 1}, {1, int64(1)}, {nil, nil}, {nil, 1}, {[]int{1, 2}, []int{1, 2}}, {[]int{}, []int(nil)},
		{map[string]int{"a": 1}, map[string]int{"a": 1}}, {map[string]int{"a": 1}, map[string]int{"b": 1}},
		{ring(3), ring(3)}, {ring(3), ring(4)}, {f, f}, {(func())(nil), (func())(nil)}, {math.NaN(), math.NaN()},
		{node{data: map[string][]int{"x": {1}}}, node{data: map[string][]int{"x": {1}}}},
		{[2]any{1, "a"}, [2]any{1, "a"}}, {&[]int{1}, &[]int{1}}, {[]any{[]byte("x")}, []any{[]byte("x")}},
		{error(nil), (*node)(nil)},
	} {
		fmt.Println(reflect.DeepEqual(pair[0], pair[1]))
	}
	s := []int{1, 2, 3}
	fmt.Println(reflect.DeepEqual(s[:2], s[:3]), reflect.DeepEqual(&s[0], &s[0]), reflect.DeepEqual(s, s))
}
