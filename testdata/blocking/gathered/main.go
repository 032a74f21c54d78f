// Command gathered reads what it is asked for, and starts a goroutine for each half of the work.
// What is set before they start is not the same each time, and they have nothing to do with it.
package main

import (
	"fmt"
	"os"
)

// options is what is asked for.
type options struct {
	verbose, quick, plain, sorted, deep, strict bool
	names                                       []string
}

var asked = &options{}

func main() {
	asked.verbose = has("-v")
	for _, o := range []struct {
		name string
		to   *bool
	}{{"-q", &asked.quick}, {"-p", &asked.plain}, {"-s", &asked.sorted}, {"-d", &asked.deep}, {"-t", &asked.strict}} {
		if has(o.name) {
			*o.to = true
		}
	}
	first, second := make(chan int), make(chan int)
	go half(first, 1)
	go half(second, 2)
	if <-first == 0 {
		return
	}
	fmt.Println(<-second, *asked)
}

func has(option string) bool {
	for _, a := range os.Args {
		if a == option {
			return true
		}
	}
	return false
}

func half(to chan int, n int) {
	sum := len(os.Args)
	if asked.verbose && n > 1 {
		fmt.Println("half", n)
	}
	// confirm: no, the system starts no program without its name, so that there is always an argument
	to <- sum // want blocked
}
