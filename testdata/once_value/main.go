// Command once_value loads settings once, whoever needs them first. One of the users
// changes them.
package main

import (
	"fmt"
	"sync"
)

// Settings is a size with a colour.
type Settings struct {
	size   int
	colour string
}

// Fill sets both.
func (s *Settings) Fill(size int, colour string) {
	s.size = size
	s.colour = colour
}

// Describe returns both.
func (s *Settings) Describe() string {
	size := s.size
	colour := s.colour
	return fmt.Sprint(size, colour)
}

var settings = sync.OnceValue(func() *Settings {
	s := &Settings{}
	s.Fill(12, "black")
	return s
})

func main() {
	var wg sync.WaitGroup
	wg.Go(func() {
		settings().Fill(14, "red") // for everybody
	})
	wg.Go(func() { fmt.Println(settings().Describe()) })
	wg.Wait()
}
