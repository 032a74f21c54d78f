// Command lock_factory_fixed has two kinds of objects whose locks one factory makes.
package main

import (
	"fmt"
	"sync"
)

// NewLock makes a lock.
func NewLock() sync.Locker { return new(sync.Mutex) }

// Stock is goods, and how many of them are reserved.
type Stock struct {
	lock            sync.Locker
	goods, reserved int
}

// NewStock returns a stock of goods.
func NewStock(goods int) *Stock { return &Stock{lock: NewLock(), goods: goods} }

// Reserve reserves some, if there are enough.
func (s *Stock) Reserve(n int) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.reserved+n > s.goods {
		return false
	}
	s.reserved += n
	return true
}

// Deliver delivers some of the reserved goods.
func (s *Stock) Deliver(n int) {
	s.lock.Lock()
	s.reserved -= n
	s.goods -= n
	s.lock.Unlock()
}

// Log is lines, and their length.
type Log struct {
	lock   sync.Locker
	lines  []string
	length int
}

// NewLog returns an empty log.
func NewLog() *Log { return &Log{lock: NewLock()} }

// Add adds a line.
func (l *Log) Add(line string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.lines = append(l.lines, line)
	l.length += len(line)
}

func main() {
	log := NewLog()
	apples, pears := NewStock(9), NewStock(5)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for _, s := range []*Stock{apples, pears} {
				if s.Reserve(i) {
					s.Deliver(i)
					log.Add("delivered")
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(log.length, len(log.lines))
}
