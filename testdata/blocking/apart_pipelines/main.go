// Program apart_pipelines: Of nine pipelines beside each other, each stops reading before the last number.
package main

import "fmt"

func count(out chan<- int, n int) {
	for i := range n {
		out <- i
	}
	close(out)
}

func square(in <-chan int, out chan<- int) {
	for n := range in {
		out <- n * n // want blocked
	}
	close(out)
}

func sum(n int) {
	numbers, squares := make(chan int), make(chan int)
	go count(numbers, n)
	go square(numbers, squares)
	total := 0
	for range n - 1 {
		total += <-squares
	}
	fmt.Println(total)
}

func main() {
	for n := range 9 {
		go sum(n + 2)
	}
}
