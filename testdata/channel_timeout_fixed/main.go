// Command channel_timeout_fixed waits for an answer, but not for ever.
package main

import (
	"fmt"
	"time"
)

// Answer is a text and a rank.
type Answer struct {
	text string
	rank int
}

// Set fills the answer in.
func (a *Answer) Set(text string, rank int) {
	a.text = text
	a.rank = rank
}

// Get returns the answer.
func (a *Answer) Get() (text string, rank int) {
	text = a.text
	rank = a.rank
	return text, rank
}

func main() {
	a := &Answer{}
	done := make(chan bool, 1)
	go func() {
		a.Set("yes", 1)
		done <- true
	}()
	select {
	case <-done:
	case <-time.After(time.Millisecond):
		fmt.Println("late")
		return
	}
	fmt.Println(a.Get())
}
