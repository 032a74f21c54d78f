// The command is the kernel sparse of the Java Grande suite at its size A: a sparse matrix of 50,000 rows with 250,000
// elements is multiplied by a vector 200 times. Each of four goroutines has the elements of some rows.
package main

import "github.com/empire-go/empire-go/testdata/cooperable/grande"

const rounds = 200

// element is one of the matrix.
type element struct {
	row, column int
	value       float64
}

// abs is the absolute value of a number of 32 bits.
func abs(n int32) int { return max(int(n), -int(n)) }

func main() {
	const a = 50_000
	size := grande.Size(a)
	r := grande.NewRandom(10101010)
	vector := make([]float64, size)
	for i := range vector {
		vector[i] = r.Float64() * 1e-6
	}
	var shares [grande.Goroutines][]element
	rows := make([]int, 5*size)
	for i := range rows {
		e := element{row: abs(r.Int32()) % size, column: abs(r.Int32()) % size}
		e.value = r.Float64()
		rows[i] = e.row
		id := e.row * grande.Goroutines / size
		shares[id] = append(shares[id], e)
	}
	product := make([]float64, size)
	grande.Each(func(id int) {
		for range rounds {
			for _, e := range shares[id] {
				product[e.row] += vector[e.column] * e.value
			}
		}
	})
	total := 0.0
	for _, row := range rows {
		total += product[row]
	}
	grande.Compare(size == a, "the sum of the products", total, 75.02484945753453, 1e-10)
}
