// Command results_hedged asks for each answer twice, and takes what comes last: two
// goroutines write each element.
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
		for attempt := range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if b.answers[i] == "" {
					b.answers[i] = b.ask(i, attempt)
				}
			}()
		}
	}
	wg.Wait()
	fmt.Println(b.answers)
}
