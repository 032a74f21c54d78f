// Command filled_by_callers keeps the stack of who came last, and how deep it was.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

// Visitor has the stack of who came last.
type Visitor struct {
	mu    sync.Mutex
	stack []uintptr
	depth int
}

// Come notes the caller.
func (v *Visitor) Come() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.depth = runtime.Callers(2, v.stack)
}

// Who returns the functions that the last caller was in.
func (v *Visitor) Who() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var names []string
	for i := 0; i < v.depth; i++ {
		if f := runtime.FuncForPC(v.stack[i]); f != nil {
			names = append(names, f.Name())
		}
	}
	return names
}

func main() {
	visitor := &Visitor{stack: make([]uintptr, 8)}
	done := make(chan bool)
	go func() {
		visitor.Come()
		done <- true
	}()
	fmt.Println(len(visitor.Who()) <= 8)
	<-done
}
