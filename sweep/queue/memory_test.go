package queue_test

import (
	"testing"
	"time"

	"github.com/empire-go/empire-go/sweep/queue"
	"github.com/empire-go/empire-go/sweep/queue/queuetest"
)

func TestMemory(t *testing.T) {
	queuetest.Queue(t, func(_ *testing.T, silence time.Duration) queue.Queue { return queue.NewMemory(silence) })
}

func TestMemoryBucket(t *testing.T) { queuetest.Bucket(t, queue.NewMemoryBucket()) }
