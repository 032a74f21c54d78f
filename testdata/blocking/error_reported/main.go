// Program error_reported: Where the command fails the worker only reports that, and whoever waits for it waits for ever.
//
// confirm: with "no-such-command"
package main

import (
	"fmt"
	"os"
	"os/exec"
)

// failure is one of the errors that there are; what it says depends on what is counted.
type failure struct {
	tries int
	cause error
}

func (f *failure) Error() string {
	if f.tries > 1 {
		return fmt.Sprintf("after %d tries: %v", f.tries, f.cause)
	}
	return f.cause.Error()
}

func run(name string) error {
	cmd := exec.Command(name)
	cmd.Stdout = os.Stdout
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		f := &failure{cause: err}
		for f.tries < 3 {
			f.tries++
		}
		return f
	}
	return cmd.Wait()
}

func main() {
	done := make(chan string)
	go func() {
		if err := run(os.Args[1]); err != nil {
			fmt.Println("failed:", err.Error())
			return
		}
		done <- os.Args[1]
	}()
	fmt.Println(<-done) // want blocked
}
