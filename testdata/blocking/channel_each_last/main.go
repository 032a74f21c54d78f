// Program channel_each_last: Each round has a channel of its own, which its goroutine closes. One more is waited for,
// which is of no round.
package main

const rounds = 40

type slot struct {
	closed chan struct{}
}

func main() {
	last := make(chan struct{})
	for i := range rounds {
		s := &slot{make(chan struct{})}
		if i == rounds {
			s.closed = last
		}
		go func() { close(s.closed) }()
	}
	<-last // want blocked
}
