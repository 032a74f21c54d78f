//go:build pool

package command

import (
	"context"
	"path/filepath"

	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/pool"
	"github.com/empire-go/empire-go/sweep/queue"
)

// HasPool tells whether the command was built with what sweeps on many machines need.
const HasPool = true

// embeddedQueue returns the queue of a sweep on one machine, a node in this process, in the directory of its answers;
// nil where nothing is kept. The error is why there is none, most likely that another sweep has it.
func embeddedQueue(ctx context.Context, store *answers.Store) (queue.Queue, func(), error) {
	none := func() {}
	if store.Dir() == "" {
		return nil, none, nil
	}
	dir := filepath.Join(store.Dir(), "queue")
	node, err := jetstream.StartNode(ctx, jetstream.NodeOptions{Dir: dir, MaxStore: 1 << 30, Scratch: true})
	if err != nil {
		return nil, none, err
	}
	connected, err := jetstream.Connect(ctx, jetstream.ConnectOptions{Node: node, Replicas: 1})
	if err != nil {
		node.Stop()
		return nil, none, err
	}
	stop := func() {
		connected.Close()
		node.Stop()
	}
	own, err := connected.OpenSweep(ctx, "local", pool.DefaultSilence)
	if err != nil {
		stop()
		return nil, none, err
	}
	return own.Tasks, stop, nil
}
