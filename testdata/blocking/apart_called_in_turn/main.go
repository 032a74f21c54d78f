// Program apart_called_in_turn: The near miss of goroutines that have nothing to do with each other: one of the functions
// that they call uses a package variable. Two of them wait for each other's token, though one alone would go on.
package main

var (
	token = make(chan int, 1)
	done  = make(chan int)
)

func take() { token <- 1 } // want blocked

func run(f func()) {
	f()
	done <- 1
}

func main() {
	for range 3 {
		go func() { run(take) }()
	}
	for range 3 {
		<-done
	}
}
