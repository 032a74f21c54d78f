// Command barrier is after the kernel of the Java Grande suite that measures barriers: goroutines meet again and again,
// at a barrier of one counter with a lock, and at a tournament whose marks nothing synchronises, as in the suite. What
// each has done before it comes is looked at by its neighbour after that: it is told whether somebody came through
// a barrier too early.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

const goroutines = 10

// barrier lets goroutines go on when all have come.
type barrier interface{ meet(id int) }

// board is what goroutines have done.
type board struct {
	done  [goroutines]int
	early [goroutines]int // by goroutine: how often its neighbour had not come
}

// play does something, meets the others, and looks at its neighbour, who does nothing more before all have looked.
func (b *board) play(id, rounds int, at barrier) {
	for round := range rounds {
		b.done[id] = round + 1
		at.meet(id)
		if b.done[(id+1)%goroutines] != round+1 {
			b.early[id]++
		}
		at.meet(id)
	}
}

// all plays with one barrier, and returns how often somebody came through too early.
func all(rounds int, at barrier) (early int) {
	b := &board{}
	var end sync.WaitGroup
	for id := range goroutines {
		//empire:yield
		end.Go(func() { b.play(id, rounds, at) })
	}
	end.Wait()
	for id := range goroutines {
		early += b.early[id]
	}
	return early
}

func main() {
	rounds := 1000
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil || n < 1 {
			fmt.Fprintln(os.Stderr, "the number of rounds must be a number above 0")
			os.Exit(2)
		}
		rounds = n
	}
	withLock, without := all(rounds, newSimple()), all(rounds, &tournament{})
	if withLock > 0 {
		fmt.Println("somebody came through too early")
		os.Exit(1)
	}
	fmt.Println(goroutines, "goroutines met", 4*rounds, "times; too early without a lock:", without)
}
