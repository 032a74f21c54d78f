//go:build !plan9

package main

import "sync"

// guard is a lock.
type guard struct{ mu sync.Mutex }

func (g *guard) enter() { g.mu.Lock() }
func (g *guard) leave() { g.mu.Unlock() }
