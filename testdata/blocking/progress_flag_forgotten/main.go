// Command progress_flag_forgotten: a loader that fails leaves without saying that it is over, and whoever waits for the
// flag looks at it for ever.
package main

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
)

type loader struct {
	size atomic.Int64
	over atomic.Bool
}

func read(name string) (int64, error) {
	if name == "" {
		return 0, errors.New("no name")
	}
	return int64(len(name)), nil
}

func (l *loader) load(name string) {
	n, err := read(name)
	if err != nil {
		return
	}
	l.size.Store(n)
	l.over.Store(true)
}

func main() {
	l := &loader{}
	go l.load("")
	for !l.over.Load() { // want no-progress
		runtime.Gosched()
	}
	fmt.Println(l.size.Load())
}
