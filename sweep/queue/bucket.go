package queue

import (
	"context"
	"errors"
	"sync"
)

// Bucket is values by key, which several processes read and write. The keys are hashes of what the values depend
// on, in hexadecimal digits.
type Bucket interface {
	// Get returns a value, with its revision; ErrNone if there is none.
	Get(ctx context.Context, key string) (value []byte, revision uint64, err error)
	// Create adds a value; ErrExists if there is one.
	Create(ctx context.Context, key string, value []byte) error
	// Update replaces the value with the revision; ErrExists if it has another one now.
	Update(ctx context.Context, key string, value []byte, revision uint64) error
	// Remove removes a value, if there is one.
	Remove(ctx context.Context, key string) error
}

// What a Bucket has, or has not.
var (
	ErrNone   = errors.New("there is no such value")
	ErrExists = errors.New("there is another value already")
)

// MemoryBucket is a bucket in memory.
type MemoryBucket struct {
	mu     sync.Mutex
	last   uint64
	values map[string]revised
}

type revised struct {
	value    []byte
	revision uint64
}

// NewMemoryBucket returns an empty bucket.
func NewMemoryBucket() *MemoryBucket { return &MemoryBucket{values: map[string]revised{}} }

// Get is part of Bucket.
func (b *MemoryBucket) Get(_ context.Context, key string) ([]byte, uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	v, ok := b.values[key]
	if !ok {
		return nil, 0, ErrNone
	}
	return v.value, v.revision, nil
}

// Create is part of Bucket.
func (b *MemoryBucket) Create(ctx context.Context, key string, value []byte) error {
	return b.Update(ctx, key, value, 0)
}

// Update is part of Bucket.
func (b *MemoryBucket) Update(_ context.Context, key string, value []byte, revision uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.values[key].revision != revision {
		return ErrExists
	}
	b.last++
	b.values[key] = revised{value, b.last}
	return nil
}

// Remove is part of Bucket.
func (b *MemoryBucket) Remove(_ context.Context, key string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.values, key)
	return nil
}
