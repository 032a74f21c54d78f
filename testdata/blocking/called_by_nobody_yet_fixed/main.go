// Command called_by_nobody_yet_fixed: there is room for both.
package main

import "fmt"

func ask(mirror string) string { return "from " + mirror }

// First returns the first answer of two mirrors.
func First(a, b string) string {
	answers := make(chan string, 2)
	go func() { answers <- ask(a) }()
	go func() { answers <- ask(b) }()
	return <-answers
}

func main() {
	answers := make(chan string)
	go func() { answers <- ask("a") }()
	fmt.Println(<-answers)
}
