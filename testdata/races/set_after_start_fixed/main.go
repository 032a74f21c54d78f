// It has it before.
package main

import "fmt"

type server struct{ name string }

func main() {
	var s *server
	done := make(chan bool)
	s = &server{name: "a"}
	go func() {
		if s != nil {
			fmt.Println("set")
		}
		done <- true
	}()
	<-done
	fmt.Println(s.name)
}
