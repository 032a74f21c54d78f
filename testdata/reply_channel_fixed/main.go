// Command reply_channel_fixed has a service that answers requests, each of which has a channel
// for the reply. Ask waits for it.
package main

import "fmt"

// Request is a number and what the service says about it.
type Request struct {
	n     int
	reply chan struct{} // closed when the answer is complete
	sum   int
	known bool
}

func serve(in <-chan *Request) {
	for r := range in {
		r.sum = r.n * (r.n + 1) / 2
		r.known = true
		close(r.reply)
	}
}

// ask returns the answer for n.
func ask(in chan<- *Request, n int) (int, bool) {
	r := &Request{n: n, reply: make(chan struct{})}
	in <- r
	<-r.reply
	sum := r.sum
	known := r.known
	return sum, known
}

func main() {
	in := make(chan *Request)
	go serve(in)
	for i := range 5 {
		fmt.Println(ask(in, i))
	}
}
