// The command computes the first coefficients of the Fourier series of (x+1)^x on [0, 2], a share of them in each of
// four goroutines, as the kernel series of the Java Grande suite does, at its size A: 10,000 pairs, each integrated by
// the trapezoid rule in 1,000 steps. It ends with status 1 if the first pairs are not those that the suite publishes.
package main

import (
	"fmt"
	"math"
	"os"
	"sync"
)

const (
	pairs      = 10_000
	goroutines = 4
	steps      = 1000
	end        = 2.0
)

// published are the first four pairs.
var published = [4][2]float64{
	{2.8729524964837996, 0}, {1.1161046676147888, -1.8819691893398025},
	{0.34429060398168704, -1.1645642623320958}, {0.15238898702519288, -0.8143461113044298},
}

// Series has a pair of coefficients for each frequency.
type Series struct{ cosines, sines []float64 }

// integrate is about the integral of (x+1)^x times f from 0 to end: as the suite has it, one step before the end is left
// out, without which the values that it publishes would be others.
func integrate(f func(x float64) float64) float64 {
	const width = end / steps
	x, sum := 0.0, f(0)/2
	for range steps - 2 {
		x += width
		sum += math.Pow(x+1, x) * f(x)
	}
	return (sum + math.Pow(end+1, end)*f(end)/2) * width
}

// share computes the pairs of one goroutine.
func (s *Series) share(first, last int) {
	for i := first; i < last; i++ {
		if i == 0 {
			s.cosines[0] = integrate(func(float64) float64 { return 1 }) / 2
			continue
		}
		omega := math.Pi * float64(i)
		s.cosines[i] = integrate(func(x float64) float64 { return math.Cos(omega * x) })
		s.sines[i] = integrate(func(x float64) float64 { return math.Sin(omega * x) })
	}
}

func main() {
	s := &Series{make([]float64, pairs), make([]float64, pairs)}
	var all sync.WaitGroup
	for g := range goroutines {
		all.Go(func() { s.share(g*pairs/goroutines, (g+1)*pairs/goroutines) })
	}
	all.Wait()
	for i, want := range published {
		if math.Abs(s.cosines[i]-want[0]) > 1e-12 || math.Abs(s.sines[i]-want[1]) > 1e-12 {
			fmt.Println("pair", i, "is", s.cosines[i], s.sines[i], "and not", want)
			os.Exit(1)
		}
	}
	fmt.Println(pairs, "pairs")
}
