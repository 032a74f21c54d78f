// Program channel_nil_fixed: the mended channel_nil.
package main

import (
	"fmt"
)

type server struct{ quit chan struct{} }

func (s *server) Start() {
	s.quit = make(chan struct{})
	go func() {
		<-s.quit
		fmt.Println("bye")
	}()
}

func main() {
	s := &server{}
	s.Start()
	if s.quit != nil {
		close(s.quit)
	}
}
