// An object is looked at after it was handed to another goroutine.
package main

import "fmt"

type job struct {
	id    int
	state string
}

func main() {
	jobs, done := make(chan *job, 2), make(chan bool)
	go func() {
		for j := range jobs {
			j.state = "done" // want data-race
		}
		done <- true
	}()
	for i := range 2 {
		j := &job{id: i}
		jobs <- j
		fmt.Println(j.id, j.state) // want data-race
	}
	close(jobs)
	<-done
}
