// Package library_late_result: a caller that has waited long enough leaves, and nobody takes the result any more.
package library_late_result

import (
	"context"
	"errors"
)

type answer struct {
	size int
	err  error
}

func measure(name string) (int, error) {
	if name == "" {
		return 0, errors.New("no name")
	}
	return len(name), nil
}

// Size measures a name, until the context ends.
func Size(ctx context.Context, name string) (int, error) {
	answers := make(chan answer)
	go func() {
		size, err := measure(name)
		answers <- answer{size, err} // want blocked
	}()
	select {
	case a := <-answers:
		return a.size, a.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
