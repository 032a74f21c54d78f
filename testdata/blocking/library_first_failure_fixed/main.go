// Package library_first_failure_fixed: the mended library_first_failure. All results are taken.
package library_first_failure_fixed

// All does all tasks at once.
func All(tasks []func() error) (first error) {
	failures := make(chan error)
	for _, task := range tasks {
		go func() {
			failures <- task()
		}()
	}
	for range tasks {
		if err := <-failures; err != nil && first == nil {
			first = err
		}
	}
	return first
}
