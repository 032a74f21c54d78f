// Program double_lock_interface_fixed: the mended double_lock_interface.
package main

import (
	"fmt"
	"sync"
)

type listener interface{ Changed() }

type model struct {
	mu  sync.Mutex
	all []listener
	n   int
}

func (m *model) Set(n int) {
	m.mu.Lock()
	m.n = n
	m.mu.Unlock()
	for _, l := range m.all {
		l.Changed()
	}
}

func (m *model) Value() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.n
}

type view struct{ of *model }

func (v *view) Changed() { fmt.Println(v.of.Value()) }

func main() {
	m := &model{}
	m.all = []listener{&view{m}}
	m.Set(3)
}
