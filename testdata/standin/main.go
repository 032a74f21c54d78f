// Standin shares one pair of each kind between two goroutines.
package main

import (
	"github.com/empire-go/empire-go/testdata/standin/internal/open"
	"github.com/empire-go/empire-go/testdata/standin/internal/right"
	"github.com/empire-go/empire-go/testdata/standin/internal/wrong"
)

type pair interface {
	Set(v int)
	IsSame() bool
}

func share(p pair) {
	go p.Set(1)
	println(p.IsSame())
}

func main() {
	share(&right.Pair{})
	share(&wrong.Pair{})
	share(&open.Pair{})
}
