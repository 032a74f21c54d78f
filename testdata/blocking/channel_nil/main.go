// Program channel_nil: A channel is used before it is made.
package main

import (
	"fmt"
)

type server struct{ quit chan struct{} }

func (s *server) Start() {
	go func() {
		<-s.quit // want blocked
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
