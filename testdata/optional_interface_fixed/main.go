// Command optional_interface_fixed writes to a sink with a lock of its own.
package main

import "sync"

// Sink takes numbers.
type Sink interface{ Put(n int) }

// Parted is a sink that takes many at once.
type Parted interface{ PutAll(n ...int) }

// Memory is a sink that keeps their sum and number.
type Memory struct {
	mu         sync.Mutex
	sum, count int
}

func (m *Memory) Put(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sum += n
	m.count++
}

// File is a sink that is parted.
type File struct{ written int }

func (f *File) Put(n int)       { f.written++ }
func (f *File) PutAll(n ...int) { f.written += len(n) }

func write(s Sink, n int) {
	parted, _ := s.(Parted)
	if parted == nil {
		s.Put(n)
		return
	}
	parted.PutAll(n)
}

func main() {
	write(&File{}, 1)
	m := &Memory{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { write(m, i) })
	}
	wg.Wait()
	println(m.sum, m.count)
}
