// Command index_read_in_place reads the index of an archive from its first bytes.
package main

import (
	"bytes"
	"encoding/binary"
	"sync"
)

// Index says where the entries of an archive are.
type Index struct {
	Offset uint32
	Count  uint32
}

// Archive has an index.
type Archive struct {
	mu    sync.Mutex
	index Index
}

// Load reads the index.
func (a *Archive) Load(data []byte) error {
	// BUG: reads into what others look at
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, &a.index); err != nil {
		return err
	}
	return nil
}

// End returns where the entries end.
func (a *Archive) End() uint32 {
	a.mu.Lock()
	defer a.mu.Unlock()
	offset := a.index.Offset
	count := a.index.Count
	return offset + 32*count
}

func main() {
	archive := &Archive{}
	errs := make(chan error, 1)
	go func() {
		errs <- archive.Load([]byte{64, 0, 0, 0, 2, 0, 0, 0})
	}()
	if end := archive.End(); end != 0 && end != 128 {
		panic("half an index")
	}
	if err := <-errs; err != nil {
		panic(err)
	}
}
