// The command is the kernel lufact of the Java Grande suite at its size A: a matrix of 500 by 500 is factored by
// Gaussian elimination with partial pivoting, and an equation is solved with it. The columns to the right of the
// pivot are shared by four goroutines, which meet at a barrier before and after each step.
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
)

// generate is the matrix of the suite, by columns, and the sums of its rows, so that the solution is one everywhere.
// The third is the largest element.
func generate(n int) (columns [][]float64, sums []float64, norm float64) {
	columns, sums = make([][]float64, n), make([]float64, n)
	for i := range columns {
		columns[i] = make([]float64, n)
	}
	state := 1325
	for i := range n {
		for j := range n {
			state = 3125 * state % 65536
			columns[j][i] = (float64(state) - 32768) / 16384
			norm = max(norm, columns[j][i])
			sums[i] += columns[j][i]
		}
	}
	return columns, sums, norm
}

// add adds a multiple of a column to another one, below a row.
func add(to, column []float64, factor float64, below int) {
	for i := below + 1; i < len(to); i++ {
		to[i] += factor * column[i]
	}
}

// pivot finds the pivot of a column, exchanges it, and divides by it.
func pivot(column []float64, k int) int {
	at := k
	for i := k + 1; i < len(column); i++ {
		if math.Abs(column[i]) > math.Abs(column[at]) {
			at = i
		}
	}
	column[at], column[k] = column[k], column[at]
	for i := k + 1; i < len(column); i++ {
		column[i] *= -1 / column[k]
	}
	return at
}

// factor factors the matrix in place, and returns the rows of the pivots.
func factor(columns [][]float64) []int {
	n := len(columns)
	pivots := make([]int, n)
	barrier := grande.NewBarrier(grande.Goroutines)
	grande.Each(func(id int) {
		for k := range n - 1 {
			if id == 0 {
				pivots[k] = pivot(columns[k], k)
			}
			barrier.Wait()
			first, end := grande.Share(id, n-k-1)
			for _, column := range columns[k+1+first : k+1+end] {
				at := pivots[k]
				column[at], column[k] = column[k], column[at]
				add(column, columns[k], column[k], k)
			}
			barrier.Wait()
		}
	})
	return pivots
}

// solve solves an equation with the factors, in place.
func solve(columns [][]float64, pivots []int, b []float64) {
	n := len(columns)
	for k := range n - 1 {
		at := pivots[k]
		b[at], b[k] = b[k], b[at]
		add(b, columns[k], b[k], k)
	}
	for k := n - 1; k >= 0; k-- {
		b[k] /= columns[k][k]
		for i := range k {
			b[i] -= b[k] * columns[k][i]
		}
	}
}

func main() {
	size := grande.Size(500)
	columns, solution, _ := generate(size)
	pivots := factor(columns)
	solve(columns, pivots, solution)

	columns, rest, norm := generate(size)
	largest, worst := 0.0, 0.0
	for j, column := range columns {
		largest = max(largest, math.Abs(solution[j]))
		for i := range rest {
			rest[i] -= solution[j] * column[i]
		}
	}
	for _, r := range rest {
		worst = max(worst, math.Abs(r))
	}
	const epsilon = 1.0 / (1 << 52)
	residual := worst / (float64(size) * norm * largest * epsilon)
	fmt.Println("the normalised residual is", residual)
	if residual > 6 { // what the suite allows at size A
		os.Exit(1)
	}
}
