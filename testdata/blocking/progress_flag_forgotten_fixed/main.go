// Command progress_flag_forgotten_fixed: the loader says that it is over, whatever came of it.
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
	defer l.over.Store(true)
	n, err := read(name)
	if err != nil {
		return
	}
	l.size.Store(n)
}

func main() {
	l := &loader{}
	go l.load("")
	for !l.over.Load() {
		runtime.Gosched()
	}
	fmt.Println(l.size.Load())
}
