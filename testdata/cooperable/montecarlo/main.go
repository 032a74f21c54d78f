// The command is the kernel montecarlo of the Java Grande suite at its size A: 10,000 paths of a share's price with
// 1,000 steps each are simulated from what its past says of it, and the mean of their rates of return is the result.
// The suite reads the past from a file, which is not here: it is made from a known rate of return and volatility
// instead, so that the value that the suite publishes cannot come out. The mean is compared with the rate of the
// past, from which it is four standard errors away at most. As in the suite, each simulation sets a variable of all
// without any synchronisation.
package main

import (
	"math"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
)

const (
	steps = 1000
	step  = 1.0 / 365 // in years
)

// isDebugged is whether simulations say what they do.
var isDebugged bool

// share is how a price changes: the rate of return, and the volatility, each for a year.
type share struct{ rate, volatility float64 }

// simulation is one path.
type simulation struct {
	random *grande.Random
	of     share
	prices [steps + 1]float64
}

func newSimulation(seed uint64, of share) *simulation {
	isDebugged = false
	s := &simulation{random: grande.NewRandom(seed), of: of}
	s.prices[0] = 100
	return s
}

// normal is a number with the normal distribution, after Box and Muller.
func (s *simulation) normal() float64 {
	return math.Sqrt(-2*math.Log(1-s.random.Float64())) * math.Cos(2*math.Pi*s.random.Float64())
}

// run fills the path.
func (s *simulation) run() {
	drift := (s.of.rate - s.of.volatility*s.of.volatility/2) * step
	for i := range steps {
		s.prices[i+1] = s.prices[i] * math.Exp(drift+s.of.volatility*math.Sqrt(step)*s.normal())
	}
}

// estimate is what the path says of the share.
func (s *simulation) estimate() share {
	sum, squares := 0.0, 0.0
	for i := range steps {
		change := math.Log(s.prices[i+1] / s.prices[i])
		sum, squares = sum+change, squares+change*change
	}
	mean := sum / steps
	variance := (squares/steps - mean*mean) * steps / (steps - 1)
	return share{mean/step + variance/step/2, math.Sqrt(variance / step)}
}

// simulate runs some of the paths.
func simulate(of share, rates []float64, first, end int) {
	for i := first; i < end; i++ {
		s := newSimulation(uint64(i)*11+1, of)
		s.run()
		rates[i] = s.estimate().rate
	}
}

func main() {
	past := newSimulation(10101010, share{-0.03, 0.3})
	past.run()
	of := past.estimate()
	rates := make([]float64, grande.Size(10_000))
	grande.Each(func(id int) {
		first, end := grande.Share(id, len(rates))
		simulate(of, rates, first, end)
	})
	mean := 0.0
	for _, r := range rates {
		mean += r / float64(len(rates))
	}
	standardError := of.volatility / math.Sqrt(steps*step*float64(len(rates)))
	grande.Compare(true, "the mean of the rates", mean, of.rate, 4*standardError)
}
