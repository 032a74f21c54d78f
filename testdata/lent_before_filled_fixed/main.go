// Command lent_before_filled_fixed fills a list of prices before it hands it out.
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
	prices[0] = 10
	prices[0] = 12
	done := make(chan bool)
	c.Watch(done)
	fmt.Println(<-done)
}
