// Program double_lock_once: The function that runs once asks for what it is to make.
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
	once.Do(initialise) // want blocked
	return value
}

func initialise() {
	value = get() + 1
}

func main() {
	fmt.Println(get())
}
