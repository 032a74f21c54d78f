// Program apart_called_in_turn_fixed: The mended apart_called_in_turn. Who is done gives the token back.
package main

var (
	token = make(chan int, 1)
	done  = make(chan int)
)

func take() { token <- 1 }

func run(f func()) {
	f()
	<-token
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
