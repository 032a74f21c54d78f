// Command package_variables keeps a register of handlers in package variables.
package main

import "sync"

var (
	mu       sync.RWMutex
	handlers = map[string]func(){}
	order    []string
	verbose  bool // set before anything else runs
	debugged int  // by main alone
)

func register(name string, handler func()) {
	mu.Lock()
	defer mu.Unlock()
	handlers[name] = handler
	order = append(order, name)
}

func run(name string) {
	mu.RLock()
	handler := handlers[name]
	mu.RUnlock()
	if handler != nil && verbose {
		handler()
	}
}

func init() { verbose = true }

func main() {
	var wg sync.WaitGroup
	wg.Go(func() { register("a", func() {}) })
	wg.Go(func() { run("a") })
	wg.Wait()
	debugged++
	println(len(order))
}
