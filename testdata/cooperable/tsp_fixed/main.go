// The command finds the shortest round trip through some cities by branch and bound, as the program tsp does:
// goroutines take beginnings of trips from a queue and try all ways to go on that are shorter than the best trip so
// far. A look at the length of the best may be old when it is used, which costs time only. It ends with status 1 if
// the trip is longer than the one that dynamic programming finds.
package main

import (
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/empire-go/empire-go/testdata/cooperable/grande"
)

// begun is how many cities the beginnings of trips have that are in the queue.
const begun = 3

// search is what the goroutines share.
type search struct {
	distances [][]int
	queue     struct {
		sync.Mutex
		trips [][]int
	}
	best struct {
		sync.Mutex
		trip   []int
		length int
	}
}

// next takes a beginning of a trip from the queue, nil if there is none.
func (s *search) next() []int {
	s.queue.Lock()
	defer s.queue.Unlock()
	last := len(s.queue.trips) - 1
	if last < 0 {
		return nil
	}
	trip := s.queue.trips[last]
	s.queue.trips = s.queue.trips[:last]
	return trip
}

// improve keeps a trip if it is the best.
func (s *search) improve(trip []int, length int) {
	s.best.Lock()
	defer s.best.Unlock()
	if length < s.best.length {
		s.best.trip, s.best.length = slices.Clone(trip), length
	}
}

// isShorter is whether a trip is shorter than the best one.
func (s *search) isShorter(length int) bool {
	s.best.Lock()
	defer s.best.Unlock()
	return length < s.best.length
}

// extend tries all ways to go on.
func (s *search) extend(trip []int, length int) {
	last := trip[len(trip)-1]
	if len(trip) == len(s.distances) {
		//empire:yield
		s.improve(trip, length+s.distances[last][trip[0]])
		return
	}
	for city := range s.distances {
		if slices.Contains(trip, city) {
			continue
		}
		longer := length + s.distances[last][city]
		//empire:yield
		if s.isShorter(longer) {
			s.extend(append(slices.Clone(trip), city), longer)
		}
	}
}

// work extends beginnings as long as there are some.
func (s *search) work() {
	for {
		//empire:yield
		trip := s.next()
		if trip == nil {
			return
		}
		s.extend(trip, s.length(trip))
	}
}

func (s *search) length(trip []int) int {
	length := 0
	for i := range len(trip) - 1 {
		length += s.distances[trip[i]][trip[i+1]]
	}
	return length
}

// fill puts all beginnings of trips into the queue.
func (s *search) fill(trip []int) {
	if len(trip) == begun {
		s.queue.trips = append(s.queue.trips, slices.Clone(trip))
		return
	}
	for city := range s.distances {
		if !slices.Contains(trip, city) {
			s.fill(append(slices.Clone(trip), city))
		}
	}
}

// shortest is the length of the best trip, after Held and Karp: for each set of cities without the first, and each of
// them as the last, how far it is through all of them.
func shortest(distances [][]int) int {
	n := len(distances) - 1
	const far = 1 << 40
	through := make([][]int, 1<<n)
	for set := range through {
		through[set] = slices.Repeat([]int{far}, n)
		for last := range n {
			rest := set &^ (1 << last)
			switch {
			case set>>last&1 == 0:
			case rest == 0:
				through[set][last] = distances[0][last+1]
			default:
				for before := range n {
					through[set][last] = min(through[set][last], through[rest][before]+distances[before+1][last+1])
				}
			}
		}
	}
	best := far
	for last, length := range through[len(through)-1] {
		best = min(best, length+distances[last+1][0])
	}
	return best
}

// cities are random points of a square, and how far they are from each other along its sides.
func cities(n int) [][]int {
	r := grande.NewRandom(17)
	at := make([][2]int, n)
	for i := range at {
		at[i] = [2]int{int(1000 * r.Float64()), int(1000 * r.Float64())}
	}
	distances := make([][]int, n)
	for i := range distances {
		for _, a := range at {
			distances[i] = append(distances[i], max(a[0]-at[i][0], at[i][0]-a[0])+max(a[1]-at[i][1], at[i][1]-a[1]))
		}
	}
	return distances
}

func main() {
	s := &search{distances: cities(grande.Size(13))}
	if len(s.distances) < begun {
		fmt.Fprintln(os.Stderr, "there must be", begun, "cities at least")
		os.Exit(2)
	}
	s.best.length = 1 << 40
	s.fill([]int{0})
	grande.Each(func(int) { s.work() })
	if want := shortest(s.distances); s.best.length != want || len(s.best.trip) != len(s.distances) {
		fmt.Println("the trip", s.best.trip, "is", s.best.length, "long and not", want)
		os.Exit(1)
	}
	fmt.Println("the trip", s.best.trip, "is", s.best.length, "long")
}
