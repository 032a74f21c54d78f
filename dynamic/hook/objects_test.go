package hook

import (
	"testing"
	"unsafe"
)

// TestSize looks at the size of an object in lines of the processor's cache.
func TestSize(t *testing.T) {
	size, seats := unsafe.Sizeof(object{}), unsafe.Offsetof(object{}.use)+unsafe.Offsetof(use{}.seats)
	if size != 128 || seats > 64 {
		t.Errorf("an object has %d bytes, and its users are at %d", size, seats)
	}
}
