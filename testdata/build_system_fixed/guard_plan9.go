package main

import "sync"

// guard is a lock with readers.
type guard struct{ mu sync.RWMutex }

func (g *guard) enter() { g.mu.Lock() }
func (g *guard) leave() { g.mu.Unlock() }
