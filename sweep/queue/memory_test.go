package queue_test

import (
	"testing"
	"time"

	"github.com/empire-go/empire-go/sweep/queue"
	"github.com/empire-go/empire-go/sweep/queue/queuetest"
)

func TestMemory(t *testing.T) {
	queuetest.Queue(t, func(*testing.T) queue.Queue { return queue.NewMemory(300 * time.Millisecond) })
}

func TestMemoryBucket(t *testing.T) { queuetest.Bucket(t, queue.NewMemoryBucket()) }
