// Command locker_embedded has buckets, each with a lock that is embedded as an interface.
package main

import (
	"fmt"
	"sync"
)

// Bucket is a level that never is above its peak.
type Bucket struct {
	sync.Locker
	level, peak int
}

func newBucket() *Bucket { return &Bucket{Locker: &sync.Mutex{}} }

// Fill raises the level.
func (b *Bucket) Fill(by int) {
	b.Lock()
	defer b.Unlock()
	b.level += by
	if b.level > b.peak {
		b.peak = b.level
	}
}

// State returns the level and the peak.
func (b *Bucket) State() (level, peak int) {
	b.Lock()
	level = b.level
	b.Unlock()
	peak = b.peak
	return level, peak
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		b := newBucket()
		for i := range 3 {
			wg.Go(func() { b.Fill(i) })
			wg.Go(func() { fmt.Println(b.State()) })
		}
	}
	wg.Wait()
}
