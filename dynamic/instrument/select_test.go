package instrument

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestSelectSends looks at sends that selects choose: each stands before the receive of its message
// and behind what its goroutine has done before, and those that were not chosen are no sends.
func TestSelectSends(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.25\n", "main.go": selectProgram} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan := &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "example.com/p.Job", Fields: []string{"sum"}}}}
	header, events, out := record(t, dir, plan, ".")
	sent, received := map[uint32]int{}, map[uint32]int{}
	declined, open, early, sends := 0, 0, 0, 0
	pending := map[uint32]bool{} // goroutines that have sent: their next record that is no end is late
	for _, e := range events {
		switch e.Op {
		case trace.Send:
			sends++
			sent[e.Object]++
			pending[e.Goroutine] = header.Site(e.Site).Field == "j.done"
		case trace.Offer:
			open++
			sent[e.Object]++
		case trace.Declined:
			declined++
		case trace.Recv:
			if received[e.Object]++; received[e.Object] > sent[e.Object] {
				early++
			}
		case trace.Read, trace.Write:
			if pending[e.Goroutine] {
				t.Fatalf("g%d: %s %s behind its send", e.Goroutine, e.Op, header.Site(e.Site).Pos)
			}
		}
	}
	if out != "4000\n" || early != 0 {
		t.Errorf("%d receives stand before their sends, output %q", early, out)
	}
	// 4000 of workers, and 7 of others; not chosen: one of each worker, and 3.
	if sends+open < 4007 || declined+open < 4003 || sends > 4007 || declined > 4003 || open > 100 {
		t.Errorf("%d sends, %d that were not chosen, %d unknown", sends, declined, open)
	}
}

const selectProgram = `package main

import (
	"fmt"
	"sync"
	"time"
)

type Job struct {
	sum  int
	done chan int
}

func (j *Job) add() int {
	j.sum++
	return j.sum
}

type count int

func others() {
	var none chan int
	numbers, values, bits := make(chan count, 1), make(chan any, 1), make(chan bool, 2)
	channel := func() chan any { return values }
	a, b := 1, 2
	select {
	case numbers <- 7:
		<-numbers
	case none <- 1:
	}
	select {
	case values <- nil:
		<-values
	}
	select {
	case channel() <- "text":
		<-values
	default:
	}
	select {
	case values <- &a:
		<-values
	}
Loop:
	for i := 0; ; i++ {
		select {
		case bits <- a < b:
		default:
			break Loop
		}
	}
	select {
	case bits <- true:
	case v, ok := <-bits:
		_, _ = v, ok
	}
	func() {
		defer func() { recover() }()
		closed := make(chan error)
		close(closed)
		select {
		case closed <- nil:
		}
	}()
	select {
	case unused := <-values:
		_ = unused
	case none <- 3:
	case numbers <- 1 << 3:
	}
	select {
	case numbers <- 5:
	default:
	}
}

func main() {
	var workers sync.WaitGroup
	total := 0
	for range 2000 {
		j, full := &Job{done: make(chan int)}, make(chan int)
		workers.Add(1)
		go func() {
			defer workers.Done()
			select {
			case full <- 1:
			case j.done <- j.add():
			}
			select {
			case full <- 1:
			case j.done <- 1:
			}
		}()
		total += <-j.done
		total += <-j.done
	}
	workers.Wait()
	time.Sleep(50 * time.Millisecond) // what workers record at their ends
	others()
	fmt.Println(total)
}
`
