// Command filled_by_system_call watches how much room a file system has. The system call
// writes into the struct, with no lock held.
package main

import (
	"fmt"
	"sync"
	"syscall"
)

// Disk is what is known of a file system.
type Disk struct {
	mu    sync.Mutex
	room  syscall.Statfs_t
	asked int
}

// Ask asks the system.
func (d *Disk) Ask(path string) error {
	if err := syscall.Statfs(path, &d.room); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked++
	return nil
}

// Free returns how many blocks are free, and how often that was asked.
func (d *Disk) Free() (uint64, int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	free := d.room.Bfree
	return free, d.asked
}

func main() {
	disk := &Disk{}
	done := make(chan error)
	go func() { done <- disk.Ask("/") }()
	_, asked := disk.Free()
	fmt.Println(asked < 2, <-done)
}
