package main

import (
	"errors"
	"sync"
)

const files = 8

var errNoSpace, errExists, errNotFound = errors.New("no space"), errors.New("exists"), errors.New("not found")

// inode is a file. It is locked as long as the file is used.
type inode struct {
	mu     sync.Mutex
	isUsed bool
	size   int
	blocks []int
}

// system is a directory of files on a disk.
type system struct {
	disk      disk
	inodes    [files]inode
	directory struct {
		sync.Mutex
		names map[string]int
	}
	free struct {
		sync.Mutex
		blocks []bool // of each block, whether it is used
	}
}

func newSystem() *system {
	s := &system{}
	s.directory.names = map[string]int{}
	s.free.blocks = make([]bool, blocks)
	return s
}

// create makes an empty file.
func (s *system) create(name string) (int, error) {
	s.directory.Lock()
	defer s.directory.Unlock()
	if _, ok := s.directory.names[name]; ok {
		return 0, errExists
	}
	for i := range s.inodes {
		//empire:yield
		if s.inodes[i].take() {
			s.directory.names[name] = i
			return i, nil
		}
	}
	return 0, errNoSpace
}

// take takes an inode that nobody uses.
func (n *inode) take() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.isUsed {
		return false
	}
	n.isUsed, n.size = true, 0
	return true
}

// lookup finds a file.
func (s *system) lookup(name string) (int, error) {
	s.directory.Lock()
	defer s.directory.Unlock()
	if i, ok := s.directory.names[name]; ok {
		return i, nil
	}
	return 0, errNotFound
}

// remove makes the blocks of a file free, and forgets it.
func (s *system) remove(name string) error {
	s.directory.Lock()
	defer s.directory.Unlock()
	i, ok := s.directory.names[name]
	if !ok {
		return errNotFound
	}
	delete(s.directory.names, name)
	n := &s.inodes[i]
	//empire:yield
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, b := range n.blocks {
		//empire:yield
		s.release(b)
	}
	n.isUsed, n.size, n.blocks = false, 0, nil
	return nil
}

func (s *system) allocate() (int, error) {
	s.free.Lock()
	defer s.free.Unlock()
	for b, isUsed := range s.free.blocks {
		if !isUsed {
			s.free.blocks[b] = true
			return b, nil
		}
	}
	return 0, errNoSpace
}

func (s *system) release(block int) {
	s.free.Lock()
	defer s.free.Unlock()
	s.free.blocks[block] = false
}

// write writes a whole file.
func (s *system) write(file int, text []byte) error {
	n := &s.inodes[file]
	n.mu.Lock()
	defer n.mu.Unlock()
	for len(n.blocks)*blockSize < len(text) {
		//empire:yield
		b, err := s.allocate()
		if err != nil {
			return err
		}
		n.blocks = append(n.blocks, b)
	}
	n.size = len(text)
	for i := 0; i*blockSize < len(text); i++ {
		var block [blockSize]byte
		copy(block[:], text[i*blockSize:])
		//empire:yield
		s.disk.writeAt(n.blocks[i], &block)
	}
	return nil
}

// read reads a whole file.
func (s *system) read(file int) []byte {
	n := &s.inodes[file]
	n.mu.Lock()
	defer n.mu.Unlock()
	var text []byte
	for _, b := range n.blocks {
		var block [blockSize]byte
		//empire:yield
		s.disk.readAt(b, &block)
		text = append(text, block[:]...)
	}
	return text[:n.size]
}
