// Command lent_before_filled hands out a list of prices, by a method that starts
// somebody who looks at them, and fills it only then.
package main

import "fmt"

// Catalog holds prices.
type Catalog struct {
	prices []int
}

// Watch starts somebody who compares the first two prices.
func (c *Catalog) Watch(done chan bool) {
	prices := c.prices
	go compare(prices, done)
}

func compare(prices []int, done chan bool) {
	before := prices[0]
	after := prices[0]
	done <- before == after
}

func main() {
	prices := make([]int, 2)
	c := &Catalog{prices: prices}
	done := make(chan bool)
	c.Watch(done)
	prices[0] = 10 // it is watched by now
	prices[0] = 12
	fmt.Println(<-done)
}
