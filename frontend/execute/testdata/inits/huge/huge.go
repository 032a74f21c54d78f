// Package huge has a variable that takes long to prepare, and one that does not.
package huge

// Small is cheap.
var Small = 7

// Table is dear.
var Table = build()

func build() (all [1000]int) {
	for n := range 20_000_000 {
		all[n%1000] += n
	}
	return all
}
