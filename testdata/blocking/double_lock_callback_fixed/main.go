// Program double_lock_callback_fixed: the mended double_lock_callback.
package main

import (
	"fmt"
	"sync"
)

type registry struct {
	mu    sync.Mutex
	names []string
}

func (r *registry) Each(f func(string)) {
	r.mu.Lock()
	names := append([]string(nil), r.names...)
	r.mu.Unlock()
	for _, n := range names {
		f(n)
	}
}

func (r *registry) Add(name string) {
	r.mu.Lock()
	r.names = append(r.names, name)
	r.mu.Unlock()
}

func main() {
	r := &registry{names: []string{"a"}}
	r.Each(func(n string) { r.Add(n + "'") })
	fmt.Println(len(r.names))
}
