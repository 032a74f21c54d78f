// Command results_hedged_fixed asks for each answer once: one goroutine writes each
// element.
package main

import (
	"fmt"
	"sync"
)

// Batch is questions and their answers.
type Batch struct {
	questions []string
	answers   [3]string
}

// ask answers a question.
func (b *Batch) ask(i, attempt int) string { return fmt.Sprint(b.questions[i], " ", attempt) }

func main() {
	b := &Batch{questions: []string{"who", "what", "where"}}
	var wg sync.WaitGroup
	for i := 0; i < len(b.questions); i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if b.answers[i] == "" {
				b.answers[i] = b.ask(i, 1)
			}
		}()
	}
	wg.Wait()
	fmt.Println(b.answers)
}
