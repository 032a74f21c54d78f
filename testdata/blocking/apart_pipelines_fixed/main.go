// Program apart_pipelines_fixed: the mended apart_pipelines.
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
		out <- n * n
	}
	close(out)
}

func sum(n int) {
	numbers, squares := make(chan int), make(chan int)
	go count(numbers, n)
	go square(numbers, squares)
	total := 0
	for square := range squares {
		total += square
	}
	fmt.Println(total)
}

func main() {
	for n := range 9 {
		go sum(n + 2)
	}
}
