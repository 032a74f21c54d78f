// Command stated_join fills a report on a goroutine of a group, and prints its sum before it has ended.
package main

import (
	"fmt"

	"github.com/empire-go/empire-go/testdata/stated_join/task"
)

// Report has two parts that are filled together. It is not safe for concurrent use.
type Report struct{ income, expense int }

func (r *Report) fill() {
	r.income = 7
	r.expense = 5
}

func (r *Report) sum() int {
	income := r.income
	expense := r.expense
	return income - expense
}

func main() {
	r := &Report{}
	var g task.Group
	g.Go(r.fill)
	fmt.Println(r.sum()) // too early
	g.Wait()
}
