// Command views sees texts and slices as what they are made up of, reads that and writes it.
package main

import (
	"fmt"
	"unsafe"
)

type text struct {
	data unsafe.Pointer
	n    int
}

type slice struct {
	data unsafe.Pointer
	n, c int
}

// Numbers in place of a pointer.
type plain struct {
	Data uintptr
	Len  int
	Cap  int
}

func textOf(b []byte) (s string) {
	from, to := (*slice)(unsafe.Pointer(&b)), (*text)(unsafe.Pointer(&s))
	to.data = from.data
	to.n = from.n
	return s
}

func bytesOf(s string) (b []byte) {
	from, to := (*text)(unsafe.Pointer(&s)), (*slice)(unsafe.Pointer(&b))
	to.data, to.n, to.c = from.data, from.n, from.n
	return b
}

// A text, and behind it the capacity of what it is as a slice.
type withCapacity struct {
	s        string
	capacity int
}

func main() {
	b := []byte("abcdef")
	fmt.Println(textOf(b[1:4]), textOf(nil) == "")
	c := bytesOf("xyz")
	fmt.Println(len(c), cap(c), string(c), string(append(c, '!')))

	d := *(*[]byte)(unsafe.Pointer(&withCapacity{"uvw", 3}))
	fmt.Println(len(d), cap(d), string(d), d[1:2][0] == 'v')

	numbers := []int{1, 2, 3, 4}
	h := (*plain)(unsafe.Pointer(&numbers))
	h.Len = 2
	fmt.Println(numbers, len(numbers), cap(numbers), h.Cap)
	var other []int
	g := (*plain)(unsafe.Pointer(&other))
	g.Data, g.Len, g.Cap = h.Data, 3, 3
	other[1] = 20
	fmt.Println(other, numbers)
}
