// Package library_first_failure: the first failure is returned, and the others are sent to nobody.
package library_first_failure

// All does all tasks at once.
func All(tasks []func() error) error {
	failures := make(chan error)
	for _, task := range tasks {
		go func() {
			failures <- task() // want blocked
		}()
	}
	for range tasks {
		if err := <-failures; err != nil {
			return err
		}
	}
	return nil
}
