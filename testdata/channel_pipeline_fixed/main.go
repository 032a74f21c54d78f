// Command channel_pipeline_fixed squares numbers in three stages.
package main

import "fmt"

// Sum is the sum so far and how many numbers it is of.
type Sum struct {
	total int
	count int
}

// Set notes the sum.
func (s *Sum) Set(total, count int) {
	s.total = total
	s.count = count
}

// Mean returns total and count.
func (s *Sum) Mean() (total, count int) {
	total = s.total
	count = s.count
	return total, count
}

func main() {
	s := &Sum{}
	numbers, squares, over := make(chan int), make(chan int), make(chan bool)
	go func() {
		defer close(squares)
		for n := range numbers {
			squares <- n * n
		}
	}()
	go func() {
		defer close(over)
		total, count := 0, 0
		for n := range squares {
			total, count = total+n, count+1
			s.Set(total, count)
		}
	}()
	for n := range 5 {
		numbers <- n
	}
	close(numbers)
	<-over
	fmt.Println(s.Mean())
}
