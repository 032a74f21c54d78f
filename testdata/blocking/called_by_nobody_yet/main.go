// Command called_by_nobody_yet: the program asks one mirror, and is safe. First, which asks two of them and is for those
// who come, leaves the slower one with an answer that nobody takes.
package main

import "fmt"

func ask(mirror string) string { return "from " + mirror }

// First returns the first answer of two mirrors.
func First(a, b string) string {
	answers := make(chan string)
	go func() { answers <- ask(a) }() // want blocked
	go func() { answers <- ask(b) }() // want blocked
	return <-answers
}

func main() {
	answers := make(chan string)
	go func() { answers <- ask("a") }()
	fmt.Println(<-answers)
}
