// Command rounds has loops over what a field holds. Behind each is said what comes of its rounds: whether one like the
// one before is left out.
package main

import "fmt"

// Box has a set of fields.
type Box struct {
	items []int
	n     int
}

func (b *Box) sum() int {
	sum := 0
	for _, x := range b.items { // left out
		if x < 0 {
			continue
		}
		sum += x
	}
	return sum
}

func (b *Box) first() int {
	for _, x := range b.items { // left out
		if x > 0 {
			return x
		}
		if x < -9 {
			break
		}
	}
	return 0
}

func (b *Box) count() {
	for _, x := range b.items { // it accesses something else
		b.n += x
	}
}

func (b *Box) print() {
	for _, x := range b.items { // it calls something
		fmt.Println(x)
	}
}

// add goes on in the outer loop from within the inner one: then no stretch of a unit begins behind that.
func (b *Box) add(rows [][]int) {
outer:
	for range rows {
		for _, x := range b.items { // it leaves the outer loop's round, too
			if x > 3 {
				continue outer
			}
		}
		b.n++
	}
}

func main() {
	b := &Box{items: []int{-1, 2, 3}}
	b.count()
	b.print()
	b.add(make([][]int, 3))
	fmt.Println(b.sum(), b.first(), b.n)
}
