// Package library_late_result_fixed: the mended library_late_result. There is room for the result.
package library_late_result_fixed

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
	answers := make(chan answer, 1)
	go func() {
		size, err := measure(name)
		answers <- answer{size, err}
	}()
	select {
	case a := <-answers:
		return a.size, a.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
