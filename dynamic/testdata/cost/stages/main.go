// Command stages parses, enriches and sums records in three stages that share metrics.
package main

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Metrics is what the stages have done so far.
type Metrics struct {
	mu        sync.Mutex
	parsed    int
	failed    int
	bytes     int
	perRegion map[string]int
	slowest   int
}

// Parsed counts a record that was parsed, or was not.
func (m *Metrics) Parsed(size int, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes += size
	if !ok {
		m.failed++
		return
	}
	m.parsed++
}

// Seen counts a record of a region.
func (m *Metrics) Seen(region string, cost int) {
	m.mu.Lock()
	m.perRegion[region]++
	if cost > m.slowest {
		m.slowest = cost
	}
	m.mu.Unlock()
}

// Rate is the share of records that could be parsed.
func (m *Metrics) Rate() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.parsed+m.failed == 0 {
		return 0
	}
	return float64(m.parsed) / float64(m.parsed+m.failed)
}

// Record is what travels through the stages.
type Record struct {
	id     int
	region string
	amount int
	tax    int
}

// Summary is what the last stage sums up.
type Summary struct {
	mu     sync.RWMutex
	totals map[string]int
	count  int
	max    Record
}

// Add adds a record.
func (s *Summary) Add(r Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.totals[r.region] += r.amount + r.tax
	s.count++
	if r.amount > s.max.amount {
		s.max = r
	}
}

// Average is the average of a region.
func (s *Summary) Average(region string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.count == 0 {
		return 0
	}
	return s.totals[region] / s.count
}

var regions = []string{"north", "east", "south", "west", "centre"}

func parse(line string) (Record, bool) {
	var r Record
	for i, field := range strings.Split(line, ",") {
		n, err := strconv.Atoi(field)
		switch {
		case err != nil && i != 1:
			return r, false
		case i == 0:
			r.id = n
		case i == 1:
			r.region = field
		case i == 2:
			r.amount = n
		}
	}
	return r, true
}

func run(stage func(), workers int, finally func()) {
	var wg sync.WaitGroup
	for range workers {
		wg.Go(stage)
	}
	go func() {
		wg.Wait()
		finally()
	}()
}

func main() {
	m := &Metrics{perRegion: map[string]int{}}
	s := &Summary{totals: map[string]int{}}
	lines, records, priced := make(chan string, 64), make(chan Record, 64), make(chan Record, 64)
	go func() {
		defer close(lines)
		for i := range 150_000 {
			if i%100 == 99 {
				lines <- "broken"
				continue
			}
			lines <- strconv.Itoa(i) + "," + regions[i%len(regions)] + "," + strconv.Itoa(i*31%1000)
		}
	}()
	run(func() {
		for line := range lines {
			r, ok := parse(line)
			m.Parsed(len(line), ok)
			if ok {
				records <- r
			}
		}
	}, 2, func() { close(records) })
	run(func() {
		for r := range records {
			r.tax = r.amount * len(r.region) / 100
			m.Seen(r.region, r.amount)
			priced <- r
		}
	}, 2, func() { close(priced) })
	done := make(chan bool)
	run(func() {
		average := 0
		for r := range priced {
			s.Add(r)
			if r.id%50 == 0 {
				average += s.Average(r.region)
			}
		}
	}, 2, func() { close(done) })
	<-done
	fmt.Println(s.count, m.Rate() > 0.9, s.max.amount)
}
