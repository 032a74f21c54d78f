// Command gathered_channel_fixed is like gathered_channel, but for where its goroutines send: that is always the same.
package main

import (
	"fmt"
	"os"
)

// options is what is asked for.
type options struct {
	quick, plain, sorted, deep, strict bool
	to                                 chan int
}

var asked = &options{}

func main() {
	for _, o := range []struct {
		name string
		to   *bool
	}{{"-q", &asked.quick}, {"-p", &asked.plain}, {"-s", &asked.sorted}, {"-d", &asked.deep}, {"-t", &asked.strict}} {
		if has(o.name) {
			*o.to = true
		}
	}
	one := make(chan int)
	asked.to = one
	go half(asked, 1)
	go half(asked, 2)
	fmt.Println(<-one, <-one)
}

func has(option string) bool {
	for _, a := range os.Args {
		if a == option {
			return true
		}
	}
	return false
}

func half(o *options, n int) { o.to <- n }
