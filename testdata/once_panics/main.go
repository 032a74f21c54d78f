// Command once_panics opens a store once. Opening it panics half way, and who comes
// second finds a store that looks open.
package main

import (
	"fmt"
	"sync"
)

// Store is the number of the file and its name.
type Store struct {
	once sync.Once
	file int
	name string
}

// Open opens the store, or says why not.
func (s *Store) Open(file int, name string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
			s.name = name // the second one may read it already
		}
	}()
	s.once.Do(func() {
		s.file = file
		panic("no such file")
	})
	return nil
}

// Name returns the name, once the store has been opened.
func (s *Store) Name() string {
	s.once.Do(func() {})
	file := s.file
	name := s.name
	return fmt.Sprint(file, name)
}

func main() {
	s := &Store{}
	var wg sync.WaitGroup
	wg.Go(func() { fmt.Println(s.Open(1, "a.txt")) })
	wg.Go(func() { fmt.Println(s.Name()) })
	wg.Wait()
}
