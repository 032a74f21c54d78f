// Command channel_ping_pong_fixed lets two players hit a ball in turn: who has received the
// ball may write.
package main

import "fmt"

// Rally is the hits of a game so far.
type Rally struct {
	number int
	by     string
}

// Hit notes a hit.
func (r *Rally) Hit(number int, by string) {
	r.number = number
	r.by = by
}

func main() {
	rally := &Rally{}
	ping, pong := make(chan int), make(chan int)
	go func() {
		for n := range ping {
			rally.Hit(n, "left")
			pong <- n + 1
		}
		close(pong)
	}()
	ping <- 1
	for n := 2; n < 10; n += 2 {
		<-pong
		rally.Hit(n, "right")
		ping <- n + 1
	}
	<-pong
	close(ping)
	fmt.Println("game over")
}
