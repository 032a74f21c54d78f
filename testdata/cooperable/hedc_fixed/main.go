// Command hedc is after the crawler of that name, which searches archives of solar physics: searches have a task for
// each day, a pool of workers fetches the pages from a server, here one on this machine, and some tasks are cancelled.
// A result is stored, and a task cancelled, in one section.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
)

const (
	workers  = 4
	searches = 2
)

// run searches for some days, and cancels each third one when the next is handed in.
func run(p *pool, a *archive, days int) *search {
	s := newSearch(days)
	tasks := make([]*task, days)
	for day := range tasks {
		tasks[day] = &task{search: s, day: day, page: a.page(day)}
		//empire:yield
		p.submit(tasks[day])
		if late := day - 1; late%3 == 0 {
			//empire:yield
			tasks[late].cancel()
		}
	}
	return s
}

func main() {
	days := 60
	if len(os.Args) > 1 {
		n, err := strconv.Atoi(os.Args[1])
		if err != nil || n < 1 {
			fmt.Fprintln(os.Stderr, "the number of days must be a number above 0")
			os.Exit(2)
		}
		days = n
	}
	a, err := newArchive()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go a.serve()
	defer a.close()
	p := newPool(workers)
	all := make([]*search, searches)
	var end sync.WaitGroup
	for i := range all {
		//empire:yield
		end.Go(func() { all[i] = run(p, a, days) })
	}
	end.Wait()
	p.finish()
	both, found, failed := 0, 0, 0
	for _, s := range all {
		//empire:yield
		both += s.both()
		found, failed = found+len(s.found), failed+s.failed
	}
	fmt.Println("days found:", found, "failed:", failed, "found and left out:", both)
}
