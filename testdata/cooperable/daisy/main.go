// Command daisy has goroutines that write and read files of one small file system, as the program Daisy does: each
// file has a lock, so has the directory, and so has what is free on the disk. To read or write a block the head of
// the disk is moved, and then the block is read or written, in two steps, so that another file's block may be read.
package main

import (
	"fmt"
	"sync"
)

const (
	users  = 3
	rounds = 12
)

// use makes, writes, reads and removes files of a user, and returns how many of them were not as they were written.
func (s *system) use(user int) (damaged int) {
	for i := range rounds {
		name, text := fmt.Sprintf("file %d", user), fmt.Appendf(nil, "user %d, round %d", user, i)
		//empire:yield
		if _, err := s.create(name); err != nil {
			fmt.Println(name, err)
		}
		//empire:yield
		file, err := s.lookup(name)
		if err == nil {
			//empire:yield
			err = s.write(file, text)
		}
		if err != nil {
			fmt.Println(name, err)
			continue
		}
		//empire:yield
		if string(s.read(file)) != string(text) {
			damaged++
		}
		//empire:yield
		if err := s.remove(name); err != nil {
			fmt.Println(name, err)
		}
	}
	return damaged
}

func main() {
	s := newSystem()
	var damaged [users]int
	var all sync.WaitGroup
	for user := range users {
		all.Go(func() { damaged[user] = s.use(user) })
	}
	all.Wait()
	sum := 0
	for _, d := range damaged {
		sum += d
	}
	fmt.Println(sum, "of", users*rounds, "files are damaged")
}
