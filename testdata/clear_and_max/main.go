// Command clear_and_max clears a map, and keeps the largest value of it.
package main

import "sync"

// Scores is points by name, and the most of them.
type Scores struct {
	mu     sync.Mutex
	points map[string]int
	best   int
}

func (s *Scores) Add(name string, points int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.points[name] = points
	s.best = max(s.best, points)
}

func (s *Scores) Clear() {
	s.mu.Lock()
	clear(s.points)
	s.mu.Unlock()
	s.mu.Lock() // points may be added here
	s.best = min(s.best, 0)
	s.mu.Unlock()
}

func main() {
	scores := &Scores{points: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(func() { scores.Add("ann", 3) })
	wg.Go(scores.Clear)
	wg.Wait()
	println(len(scores.points), scores.best)
}
