// Command engine_state_switch_fixed starts an engine that may be running or broken.
// Its state is looked at in a switch, and again with the lock.
package main

import (
	"errors"
	"sync"
)

const (
	stopped = iota
	running
	broken
)

// Engine is in one of three states.
type Engine struct {
	mu    sync.RWMutex
	state int
}

var errBroken = errors.New("engine is broken")

// look returns the state.
func (e *Engine) look() int {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.state
}

// Start starts the engine, unless it is running.
func (e *Engine) Start() error {
	switch e.look() {
	case running:
		return nil
	case broken:
		return errBroken
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch e.state {
	case running:
		return nil
	case broken:
		return errBroken
	}
	e.state = running
	return nil
}

// Break breaks the engine.
func (e *Engine) Break() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state = broken
}

func main() {
	engine := new(Engine)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := engine.Start(); err != nil && !errors.Is(err, errBroken) {
			panic(err)
		}
	})
	wg.Go(engine.Break)
	wg.Wait()
}
