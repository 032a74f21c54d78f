// It is looked at before.
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
			j.state = "done"
		}
		done <- true
	}()
	for i := range 2 {
		j := &job{id: i}
		fmt.Println(j.id, j.state)
		jobs <- j
	}
	close(jobs)
	<-done
}
