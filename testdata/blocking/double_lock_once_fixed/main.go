// Program double_lock_once_fixed: the mended double_lock_once.
package main

import (
	"fmt"
	"sync"
)

var (
	once  sync.Once
	value int
)

func get() int {
	once.Do(initialise)
	return value
}

func initialise() {
	value = 1
}

func main() {
	fmt.Println(get())
}
