package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/empire-go/empire-go/sweep/queue"
)

// Answers returns the bucket of all sweeps' answers, which is made if it is not there. A worker may only read it.
func (p *Pool) Answers(ctx context.Context) (queue.Bucket, error) {
	b := &natsBucket{}
	return b, p.place(ctx, func(ctx context.Context, replicas int) (err error) {
		b.values, err = p.js.KeyValue(ctx, answerBucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) && p.role.Kind != Worker {
			b.values, err = p.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: answerBucket, History: 1,
				Storage: jetstream.FileStorage, Replicas: replicas, Description: "answers of sweeps"})
		}
		return err
	})
}

// natsBucket is a bucket of keys and values.
type natsBucket struct{ values jetstream.KeyValue }

// Get is part of queue.Bucket.
func (b *natsBucket) Get(ctx context.Context, key string) (value []byte, revision uint64, err error) {
	err = again(ctx, func(ctx context.Context) error {
		entry, err := b.values.Get(ctx, key)
		if err != nil {
			return err
		}
		value, revision = entry.Value(), entry.Revision()
		return nil
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrKeyDeleted) {
		err = queue.ErrNone
	}
	return value, revision, err
}

// Create is part of queue.Bucket.
func (b *natsBucket) Create(ctx context.Context, key string, value []byte) error {
	return asExists(again(ctx, func(ctx context.Context) error {
		_, err := b.values.Create(ctx, key, value)
		return err
	}))
}

// Update is part of queue.Bucket.
func (b *natsBucket) Update(ctx context.Context, key string, value []byte, revision uint64) error {
	if revision == 0 {
		return b.Create(ctx, key, value)
	}
	return asExists(again(ctx, func(ctx context.Context) error {
		_, err := b.values.Update(ctx, key, value, revision)
		return err
	}))
}

// Remove is part of queue.Bucket.
func (b *natsBucket) Remove(ctx context.Context, key string) error {
	return again(ctx, func(ctx context.Context) error { return b.values.Delete(ctx, key) })
}

// asExists names the error that a value has another revision.
func asExists(err error) error {
	var refused *jetstream.APIError
	if errors.Is(err, jetstream.ErrKeyExists) || errors.As(err, &refused) && isOtherRevision(refused.ErrorCode) {
		return queue.ErrExists
	}
	return err
}

// isOtherRevision: the nodes of a cluster have a number of their own for it.
func isOtherRevision(code jetstream.ErrorCode) bool {
	return code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// PutObject keeps something large under a name.
func (p *Pool) PutObject(ctx context.Context, name string, text []byte) error {
	return p.place(ctx, func(ctx context.Context, replicas int) error {
		store, err := p.js.ObjectStore(ctx, objectBucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			store, err = p.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectBucket,
				Storage: jetstream.FileStorage, Replicas: replicas, Description: "sources and plans of sweeps"})
		}
		if err != nil {
			return err
		}
		_, err = store.Put(ctx, jetstream.ObjectMeta{Name: name}, bytes.NewReader(text))
		return err
	})
}

// Object returns what is kept under a name, if it has no more bytes than that.
func (p *Pool) Object(ctx context.Context, name string, most int64) (text []byte, err error) {
	err = again(ctx, func(ctx context.Context) error {
		store, err := p.js.ObjectStore(ctx, objectBucket)
		if err != nil {
			return err
		}
		object, err := store.Get(ctx, name)
		if err != nil {
			return err
		}
		defer object.Close()
		text, err = io.ReadAll(io.LimitReader(object, most+1))
		return err
	})
	if err == nil && int64(len(text)) > most {
		return nil, fmt.Errorf("%s has more than %d bytes", name, most)
	}
	return text, err
}

// RemoveObject removes what is kept under a name.
func (p *Pool) RemoveObject(ctx context.Context, name string) error {
	return again(ctx, func(ctx context.Context) error {
		store, err := p.js.ObjectStore(ctx, objectBucket)
		if err != nil {
			return err
		}
		return store.Delete(ctx, name)
	})
}
