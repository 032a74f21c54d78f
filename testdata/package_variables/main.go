// The settings of a program are package variables, with a number that tells which
// version of them is in use. A lock guards both.
package main

import (
	"fmt"
	"sync"
)

// options is what can be set.
type options struct {
	limit int
	name  string
}

var (
	mu       sync.RWMutex
	settings options
	version  int
)

// set changes all options. The caller holds the lock.
func (o *options) set(limit int, name string) {
	o.limit = limit
	o.name = name
}

// reload changes the settings and counts the version.
func reload(limit int, name string) {
	mu.Lock()
	settings.set(limit, name)
	mu.Unlock()
	mu.Lock() // BUG: the version is behind the settings until now
	version++
	mu.Unlock()
}

// describe says which settings are in use.
func describe() string {
	mu.RLock()
	defer mu.RUnlock()
	v := version
	s := settings
	return fmt.Sprintf("version %d: %s, %d", v, s.name, s.limit)
}

func main() {
	var group sync.WaitGroup
	group.Go(func() { reload(10, "ten") })
	fmt.Println(describe())
	group.Wait()
	fmt.Println(describe())
}
