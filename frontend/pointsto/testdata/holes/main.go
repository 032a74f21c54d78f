package main

import (
	"reflect"
	"unsafe"
)

type header struct {
	data unsafe.Pointer
	n    int
}

type pair struct {
	n int
	p *int
}

// release is one of the functions that may be linked by name.
//
//go:linkname release sync.runtime_Semrelease
func release(s *uint32, handoff bool, skip int)

func next(number uintptr) uintptr { return number + 1 }

func handsOn(c *pair) uintptr { return next(uintptr(unsafe.Pointer(c))) }

func hashes(c *pair) uint8 { return uint8(uintptr(unsafe.Pointer(c)) % 8) }

func main() {
	release(new(uint32), false, 0)
	x := new(int)                                           // #x
	c := &pair{p: x}                                        // #c
	println(unsafe.Pointer(&c.p))                           // want c.p
	println(*(**int)(unsafe.Pointer(&c.p)))                 // want x
	println((*int)(unsafe.Pointer(c)))                      // want c.n
	println((*header)(unsafe.Pointer(c)))                   // want c
	println(unsafe.Pointer(uintptr(unsafe.Pointer(c)) + 8)) // want c
	s := []*int{x}                                          // #s
	println(unsafe.Slice(&s[0], 1)[0])                      // want x
	println(unsafe.Slice(&s[0], 1))                         // want s
	reflect.ValueOf(c).Elem().Field(1).Set(reflect.ValueOf(x))
	println(reflect.ValueOf(c).Interface()) // want c
	println(handsOn(c), hashes(c))
}

// hole: package HERE uses reflection, as (reflect.Value).Elem
// hole: HERE.main uses HERE.pair as HERE.header
// hole: HERE.handsOn hands on a pointer as a number
// hole: HERE.release is not analysed
