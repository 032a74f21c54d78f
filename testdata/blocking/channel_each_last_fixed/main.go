// Program channel_each_last_fixed: The mended channel_each_last, and the near miss of what is known of the rounds of a
// loop: one of them stores another channel.
//
// open: there are more rounds than are told apart
package main

const rounds = 40

type slot struct {
	closed chan struct{}
}

func main() {
	last := make(chan struct{})
	for i := range rounds {
		s := &slot{make(chan struct{})}
		if i == rounds-1 {
			s.closed = last
		}
		go func() { close(s.closed) }()
	}
	<-last
}
