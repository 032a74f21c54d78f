//go:build pool

package command

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/pool"
)

func newSweepWorker() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worker --connect nats://HOST:PORT",
		Short: "Answer queries of sweeps for others",
		Long: `Take tasks of any sweep that the nodes have, answer them, and hand in the answers, until
there are none (--forever: until it is stopped). It may be killed at any moment: what it
has not handed in goes to another worker.

Queries are answered by a child process, which loads the packages once. One that crashes, or
takes more memory than it may, ends by itself; a query of which four children have died has
that as its answer.

The packages are those of the checkout in --dir, unless the sweep sends its sources. If they are
not the same as where the sweep was planned, or the Go version or the command itself differs,
the worker refuses with one line, and others get the task.`,
		Example: `  empire-go sweep worker --connect nats://127.0.0.1:4222
  empire-go sweep worker --connect tls://pool:4222 --token-file token --tls-ca ca.pem --slots 8 --forever`,
		Args: noArguments,
	}
	var connection poolFlags
	slots, idle := countValue(1), durationValue(10*time.Second)
	w := &pool.Worker{}
	f := cmd.Flags()
	f.SortFlags = false
	connection.add(cmd)
	f.Var(&slots, "slots", "carry out `n` tasks at a time, each with a child of its own")
	f.BoolVar(&w.Forever, "forever", false, "wait for tasks until it is stopped")
	f.Var(&idle, "idle", "without --forever: end when there was no task for so `long`")
	f.StringVar(&w.Dir, "dir", ".", "the `DIR` in which packages are named, where the sweep sends no sources")
	f.StringVar(&w.Name, "name", "", "the `name` that people see (default: that of the machine, and the process)")
	connection.observe.add(cmd, "warn")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		log, metrics, stop, err := connection.observe.start(cmd)
		if err != nil {
			return err
		}
		defer stop()
		if w.Name == "" {
			host, _ := os.Hostname() // without it the process is named
			w.Name = fmt.Sprintf("%s-%d", host, os.Getpid())
		}
		own, err := os.Executable()
		if err != nil {
			return err
		}
		if w.Pool, err = connection.connect(cmd.Context(), jetstream.Worker, log, 0); err != nil {
			return err
		}
		defer w.Pool.Close()
		w.Slots, w.Idle, w.Command = int(slots), time.Duration(idle), []string{own, "sweep", "child"}
		w.Log, w.Metrics = log, metrics
		return asInputError("sweep worker", w.Run(cmd.Context()))
	}
	return cmd
}
