// Command tables keeps rows in a tree ordered by number, with an index by name, statistics and a log of changes; clients
// send requests through a channel, and some ask the table themselves.
package main

import (
	"fmt"
	"sort"
	"sync"
)

const degree = 16

// row is a line of the table. It is replaced, not changed.
type row struct {
	id, amount int
	name       string
}

// page is a node of the tree.
type page struct {
	keys     []int
	rows     []*row
	children []*page
}

func (p *page) isLeaf() bool { return len(p.children) == 0 }

func (p *page) search(id int) (int, bool) {
	i := sort.SearchInts(p.keys, id)
	return i, i < len(p.keys) && p.keys[i] == id
}

// splitChild splits a child that is full.
func (p *page) splitChild(i int) {
	full := p.children[i]
	middle := len(full.keys) / 2
	right := &page{keys: append([]int(nil), full.keys[middle+1:]...), rows: append([]*row(nil), full.rows[middle+1:]...)}
	if !full.isLeaf() {
		right.children = append([]*page(nil), full.children[middle+1:]...)
		full.children = full.children[:middle+1]
	}
	key, value := full.keys[middle], full.rows[middle]
	full.keys, full.rows = full.keys[:middle], full.rows[:middle]
	p.keys = append(p.keys, 0)
	copy(p.keys[i+1:], p.keys[i:])
	p.keys[i] = key
	p.rows = append(p.rows, nil)
	copy(p.rows[i+1:], p.rows[i:])
	p.rows[i] = value
	p.children = append(p.children, nil)
	copy(p.children[i+2:], p.children[i+1:])
	p.children[i+1] = right
}

// Table is rows with their index.
type Table struct {
	mu      sync.RWMutex
	root    *page
	byName  map[string][]int
	count   int
	total   int
	largest int
	log     []string
	serial  int
}

// Put sets a row.
func (t *Table) Put(id int, name string, amount int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.serial++
	if len(t.root.keys) >= 2*degree-1 {
		t.root = &page{children: []*page{t.root}}
		t.root.splitChild(0)
	}
	r := &row{id, amount, name}
	p := t.root
	for {
		i, found := p.search(id)
		if found {
			old := p.rows[i]
			p.rows[i] = r
			t.total += amount - old.amount
			if old.name != name {
				t.unlist(old.name, id)
				t.list(name, id)
			}
			break
		}
		if p.isLeaf() {
			p.keys = append(p.keys, 0)
			copy(p.keys[i+1:], p.keys[i:])
			p.keys[i] = id
			p.rows = append(p.rows, nil)
			copy(p.rows[i+1:], p.rows[i:])
			p.rows[i] = r
			t.total += amount
			t.count++
			t.list(name, id)
			break
		}
		if len(p.children[i].keys) >= 2*degree-1 {
			p.splitChild(i)
			continue
		}
		p = p.children[i]
	}
	if amount > t.largest {
		t.largest = amount
	}
	t.note(name)
}

func (t *Table) note(what string) {
	if len(t.log) >= 64 {
		t.log = t.log[:0]
	}
	t.log = append(t.log, what)
}

func (t *Table) list(name string, id int) { t.byName[name] = append(t.byName[name], id) }

func (t *Table) unlist(name string, id int) {
	ids := t.byName[name]
	for i := range ids {
		if ids[i] == id {
			ids[i] = ids[len(ids)-1]
			t.byName[name] = ids[:len(ids)-1]
			return
		}
	}
}

// Get returns an amount.
func (t *Table) Get(id int) (int, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if r := t.get(id); r != nil {
		return r.amount, true
	}
	return 0, false
}

func (t *Table) get(id int) *row {
	for p := t.root; ; {
		i, found := p.search(id)
		if found {
			return p.rows[i]
		}
		if p.isLeaf() {
			return nil
		}
		p = p.children[i]
	}
}

// Sum sums what has a name.
func (t *Table) Sum(name string) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	sum := 0
	for i, id := range t.byName[name] {
		if i == 20 {
			break
		}
		sum += t.get(id).amount
	}
	return sum
}

// Average is the average of all amounts.
func (t *Table) Average() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.count == 0 {
		return 0
	}
	return t.total / t.count
}

type request struct {
	id     int
	name   string
	amount int
	reply  chan int
}

func main() {
	t := &Table{root: &page{}, byName: map[string][]int{}}
	requests := make(chan request, 32)
	names := make([]string, 40)
	for i := range names {
		names[i] = fmt.Sprint("name", i)
	}
	var servers, clients sync.WaitGroup
	for range 2 {
		servers.Go(func() {
			for r := range requests {
				t.Put(r.id, r.name, r.amount)
				if r.reply != nil {
					r.reply <- t.Average()
				}
			}
		})
	}
	for g := range 4 {
		clients.Go(func() {
			seed, sum := uint32(g+1), 0
			reply := make(chan int, 1)
			for i := range 60_000 {
				seed = seed*1664525 + 1013904223
				id := int(seed>>8) % 20_000
				switch {
				case i%8 == 0:
					requests <- request{id: id, name: names[id%len(names)], amount: int(seed >> 20)}
				case i%64 == 3:
					requests <- request{id, names[i%len(names)], i, reply}
					sum += <-reply
				case i%40 == 5:
					sum += t.Sum(names[id%len(names)])
				default:
					v, _ := t.Get(id)
					sum += v
				}
			}
		})
	}
	clients.Wait()
	close(requests)
	servers.Wait()
	fmt.Println(t.count > 0, t.serial > 0)
}
