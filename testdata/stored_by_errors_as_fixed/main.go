// Command stored_by_errors_as_fixed keeps the last failure and its number. errors.As stores the
// failure.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
)

// Log is the last failure, and how many there were.
type Log struct {
	mu    sync.Mutex
	last  *fs.PathError
	count int
}

// Note notes an error, if it is a failure of the file system.
func (l *Log) Note(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.As(err, &l.last) {
		l.count++
	}
}

// Last returns the failure and its number.
func (l *Log) Last() (*fs.PathError, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.last
	count := l.count
	return last, count
}

func main() {
	l := &Log{}
	done := make(chan bool)
	go func() {
		l.Note(&fs.PathError{Op: "open", Path: "a", Err: fs.ErrNotExist})
		close(done)
	}()
	fmt.Println(l.Last())
	<-done
}
