package pool

import (
	"context"
	"errors"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/queue"
)

// kept is an answer in the bucket, with the limits that it was given within.
type kept struct {
	Answer  sweep.Answer
	Timeout time.Duration
	Memory  int64
	Worker  string
	Run     string // of a sweep that answers everything again
}

// lookUp returns what the bucket has under a key, nil if there is nothing; and its revision.
func lookUp(ctx context.Context, b queue.Bucket, key string) (*kept, uint64, error) {
	text, revision, err := b.Get(ctx, key)
	if errors.Is(err, queue.ErrNone) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	k := &kept{}
	if err := unpack(text, k); err != nil {
		return nil, revision, nil // it is replaced
	}
	return k, revision, nil
}

// isEnough tells whether an answer is one to the request: what is unknown is asked again when there is more time or
// memory than then, and what has crashed in another sweep. A sweep that answers everything again goes by its own
// answers.
func (k *kept) isEnough(r empire.Request, run string) bool {
	if run != "" {
		return k.Run == run
	}
	return k.Answer.IsDecided() ||
		k.Answer.Error == "" && timeOf(r.Timeout) <= timeOf(k.Timeout) && r.Memory <= k.Memory
}

func timeOf(limit time.Duration) time.Duration {
	if limit == 0 {
		return empire.DefaultTimeout
	}
	return limit
}

// keep puts an answer into the bucket, and returns the one that is there then: a decided one is never replaced, unless
// it is to be.
func keep(ctx context.Context, b queue.Bucket, key string, k *kept, replace bool) (*kept, error) {
	text, err := pack(k)
	if err != nil {
		return nil, err
	}
	if !replace {
		if err = b.Create(ctx, key, text); !errors.Is(err, queue.ErrExists) {
			return k, err
		}
	}
	for {
		old, revision, err := lookUp(ctx, b, key)
		if err != nil {
			return nil, err
		}
		if old != nil && old.Answer.IsDecided() && !replace {
			return old, nil
		}
		if err = b.Update(ctx, key, text, revision); !errors.Is(err, queue.ErrExists) {
			return k, err
		}
	}
}
