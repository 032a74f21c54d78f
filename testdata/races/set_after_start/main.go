// A variable with one assignment gets its value after the goroutine has begun that looks at it.
package main

import "fmt"

type server struct{ name string }

func main() {
	var s *server
	done := make(chan bool)
	go func() {
		if s != nil { // want data-race
			fmt.Println("set")
		}
		done <- true
	}()
	s = &server{name: "a"} // want data-race
	<-done
	fmt.Println(s.name)
}
