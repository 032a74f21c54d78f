// Package suites registers suites, which takes long when a program begins, and looks at the machine that it runs on.
package suites

import (
	"unsafe"

	"github.com/empire-go/empire-go/testdata/library_key_ring/registry"
)

var (
	one          = int64(1)
	littleEndian = (*(*[2]int32)(unsafe.Pointer(&one)))[0] == 1

	powers [1 << 13]int
	total  int
)

func init() {
	for round := range 2 {
		for i := range powers {
			powers[i] = powers[i]*3 + round
		}
	}
	registry.Register("long", powers[1], func(strength func() int) { total += strength() })
}

// IsLittleEndian tells whether numbers begin with their low bytes.
func IsLittleEndian() bool { return littleEndian }
