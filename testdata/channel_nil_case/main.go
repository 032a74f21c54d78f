// Command channel_nil_case merges two streams. A stream that has ended is set to nil,
// so that its case is never chosen again. It stops when the first one has ended.
package main

import "fmt"

// Merged is the last value and where it came from.
type Merged struct {
	value int
	from  string
}

// Take notes a value.
func (m *Merged) Take(value int, from string) {
	m.value = value
	m.from = from
}

// Last returns the last value.
func (m *Merged) Last() (int, string) {
	value := m.value
	from := m.from
	return value, from
}

func stream(c chan<- int, n int) {
	defer close(c)
	for i := range n {
		c <- i
	}
}

func merge(m *Merged, left, right <-chan int, over chan<- bool) {
	open := 2
	for open > 0 {
		select {
		case v, ok := <-left:
			if !ok {
				left = nil
				over <- true // only the left one is over
				open--
				continue
			}
			m.Take(v, "left")
		case v, ok := <-right:
			if !ok {
				right = nil
				over <- true
				open--
				continue
			}
			m.Take(v, "right")
		}
	}
}

func main() {
	m := &Merged{}
	left, right, over := make(chan int), make(chan int), make(chan bool, 2)
	go stream(left, 2)
	go stream(right, 3)
	go merge(m, left, right, over)
	<-over
	fmt.Println(m.Last())
	<-over
}
