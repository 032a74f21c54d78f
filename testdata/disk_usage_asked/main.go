// Command disk_usage_asked asks the system how full a disk is, and keeps the answer
// and what follows from it.
package main

import (
	"sync"
	"syscall"
)

// Disk is a file system.
type Disk struct {
	mu   sync.Mutex
	path string
	stat syscall.Statfs_t
	free uint64
}

// ask fills in what the system says.
func (d *Disk) ask() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return syscall.Statfs(d.path, &d.stat)
}

// Refresh asks the system and works out the free bytes.
func (d *Disk) Refresh() {
	if d.ask() != nil {
		return
	}
	// BUG: another Refresh can ask in between
	d.mu.Lock()
	defer d.mu.Unlock()
	d.free = d.stat.Bavail * uint64(d.stat.Bsize)
}

// Free returns the number of free bytes.
func (d *Disk) Free() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.free
}

func main() {
	disk := &Disk{path: "/"}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			disk.Refresh()
		}()
	}
	wg.Wait()
	if disk.Free() == 1 {
		panic("full")
	}
}
