package pipeline

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/empire-go/empire-go/limit"
)

// TestRushed tells what a bound on time or memory has kept from being known, which the next run may know, from what
// would not be known then either.
func TestRushed(t *testing.T) {
	for _, c := range []struct {
		cause, err error
		want       bool
	}{
		{nil, errors.New("the model is too large"), false},
		{limit.ErrWork, context.Canceled, false},
		{nil, fmt.Errorf("lowering: %w", limit.ErrWork), false},
		{limit.ErrTime, context.Canceled, true},
		{limit.ErrMemory, context.Canceled, true},
		{nil, fmt.Errorf("lowering: %w", limit.ErrMemory), true},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		if c.cause != nil {
			cancel(c.cause)
		}
		if got := isRushed(ctx, c.err); got != c.want {
			t.Errorf("cause %v, error %v: %t", c.cause, c.err, got)
		}
		cancel(nil)
	}
}
