// Command done_getter_fixed starts tasks that say when they are done by a channel, which a
// method returns. The results are looked at then.
package main

import "fmt"

// Task is work in the background.
type Task struct {
	done   chan struct{}
	result int
	steps  int
}

// Start starts a task.
func Start(n int) *Task {
	t := &Task{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		t.result = n * n
		t.steps = n
	}()
	return t
}

// Done returns the channel that is closed when the result is there.
func (t *Task) Done() <-chan struct{} { return t.done }

// Result returns the result and the number of steps that it took.
func (t *Task) Result() (int, int) {
	result := t.result
	steps := t.steps
	return result, steps
}

func main() {
	var all []*Task
	for i := range 4 {
		all = append(all, Start(i))
	}
	for _, t := range all {
		<-t.Done()
		fmt.Println(t.Result())
	}
}
