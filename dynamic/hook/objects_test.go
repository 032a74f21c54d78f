package hook

import (
	"testing"
	"unsafe"
)

// TestSize looks at the size of an object in lines of the processor's cache.
func TestSize(t *testing.T) {
	size, users := unsafe.Sizeof(object{}), unsafe.Offsetof(object{}.use)+unsafe.Offsetof(use{}.users)
	if size%64 != 0 || users > 64 {
		t.Errorf("an object has %d bytes, and its users are at %d", size, users)
	}
}
