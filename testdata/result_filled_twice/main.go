// Command result_filled_twice asks two mirrors for the price of a product, and takes the
// first answer. The second one is filled in over it, while others read.
package main

import (
	"fmt"
	"sync"
)

// answer is there when done is closed.
type answer struct {
	done         chan struct{}
	price, stock int
}

// Cache keeps answers by product.
type Cache struct {
	mu      sync.Mutex
	answers map[string]*answer
}

// Get returns price and stock of a product.
func (c *Cache) Get(product string) (int, int) {
	c.mu.Lock()
	if a, ok := c.answers[product]; ok {
		c.mu.Unlock()
		<-a.done
		price := a.price
		stock := a.stock
		return price, stock
	}
	a := &answer{done: make(chan struct{})}
	c.answers[product] = a
	c.mu.Unlock()
	for mirror := range 2 {
		go func() {
			a.price = 10 * len(product)
			a.stock = mirror
			select {
			case <-a.done: // too late, and filled in none the less
			default:
				close(a.done)
			}
		}()
	}
	<-a.done
	price := a.price
	stock := a.stock
	return price, stock
}

func main() {
	c := &Cache{answers: map[string]*answer{}}
	var wg sync.WaitGroup
	for _, product := range []string{"tea", "tea", "salt"} {
		wg.Go(func() { fmt.Println(c.Get(product)) })
	}
	wg.Wait()
}
