// The command is the kernel sor of the Java Grande suite at its size A: 100 rounds of successive over-relaxation on a
// grid of 1000 by 1000, red points and then black ones, rows shared by four goroutines. Unlike in the suite, whose
// goroutines look at counters of others without any synchronisation, a barrier orders the accesses to the grid.
package main

import "github.com/empire-go/empire-go/testdata/cooperable/grande"

const (
	rounds = 100
	omega  = 1.25
)

// relax does the points of a colour in some rows.
func relax(grid [][]float64, first, end, colour int) {
	for i := max(1, first); i < min(end, len(grid)-1); i++ {
		above, row, below := grid[i-1], grid[i], grid[i+1]
		for j := 1 + (i+colour+1)%2; j < len(row)-1; j += 2 {
			row[j] = omega*0.25*(above[j]+below[j]+row[j-1]+row[j+1]) + (1-omega)*row[j]
		}
	}
}

func main() {
	size := grande.Size(1000)
	r := grande.NewRandom(10101010)
	grid := make([][]float64, size)
	for i := range grid {
		grid[i] = make([]float64, size)
		for j := range grid[i] {
			grid[i][j] = r.Float64() * 1e-6
		}
	}
	barrier := grande.NewBarrier(grande.Goroutines)
	grande.Each(func(id int) {
		first, end := grande.Share(id, size)
		for half := range 2 * rounds {
			relax(grid, first, end, half%2)
			barrier.Wait()
		}
	})
	total := 0.0
	for i := 1; i < size-1; i++ {
		for j := 1; j < size-1; j++ {
			total += grid[i][j]
		}
	}
	grande.Compare(size == 1000, "the sum of the grid", total, 0.498574406322512, 1e-12)
}
