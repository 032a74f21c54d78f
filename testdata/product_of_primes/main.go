// Command product_of_primes multiplies primes that several goroutines find.
package main

import (
	"fmt"
	"math/big"
	"sync"
)

// Product is the product of some factors, and knows how many.
type Product struct {
	mu      sync.Mutex
	value   big.Int
	factors int
}

// NewProduct returns the product of nothing.
func NewProduct() *Product {
	p := &Product{}
	p.value.SetInt64(1)
	return p
}

// Multiply adds a factor.
func (p *Product) Multiply(factor int64) {
	p.mu.Lock()
	p.value.Mul(&p.value, big.NewInt(factor))
	p.mu.Unlock()
	p.mu.Lock() // BUG: the lock must not be given up between
	p.factors++
	p.mu.Unlock()
}

// State returns the product, and of how many factors it is.
func (p *Product) State() (value *big.Int, factors int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return new(big.Int).Set(&p.value), p.factors
}

// String returns the product in decimal digits.
func (p *Product) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.value.String()
}

func main() {
	product := NewProduct()
	var wg sync.WaitGroup
	for _, from := range []int64{2, 50} {
		wg.Go(func() {
			for n := from; n < from+48; n++ {
				if big.NewInt(n).ProbablyPrime(0) {
					product.Multiply(n)
				}
			}
		})
	}
	value, factors := product.State()
	fmt.Println(value, "of", factors, "factors so far")
	wg.Wait()
	fmt.Println(product)
}
