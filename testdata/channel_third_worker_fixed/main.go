// Command channel_third_worker_fixed starts three workers and waits for all of them.
package main

import "fmt"

// Vote is a number of votes and the name of the option.
type Vote struct {
	count int
	name  string
}

// Set notes the votes.
func (v *Vote) Set(count int, name string) {
	v.count = count
	v.name = name
}

// Result returns the votes.
func (v *Vote) Result() (int, string) {
	count := v.count
	name := v.name
	return count, name
}

func main() {
	v := &Vote{}
	turn := make(chan int, 1)
	turn <- 1
	ready := make(chan bool, 3)
	for range 3 {
		go func() {
			n := <-turn
			v.Set(n, "yes")
			turn <- n + 1
			ready <- true
		}()
	}
	for range 3 {
		<-ready
	}
	fmt.Println(v.Result())
}
