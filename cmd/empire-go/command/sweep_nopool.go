//go:build !pool

package command

import (
	"context"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/queue"
)

// HasPool tells whether the command was built with what sweeps on many machines need (go build -tags pool). It is ten
// times as much to download as all else, and most people check on one machine.
const HasPool = false

// sharedFlags stand for those of a pool.
type sharedFlags struct{ connect string }

// add adds the commands of a pool, which say that they are not there.
func (s *sharedFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.connect, "connect", "", "have a pool answer, at `nats://HOST:PORT` (of a command that was "+
		"built with -tags pool)")
	for name, short := range map[string]string{"serve": "Be a node of a pool", "worker": "Answer queries for others",
		"status": "Show how far the sweeps of a pool are", "drain": "Hand out no more tasks of a sweep",
		"export": "Print the table of a sweep of a pool"} {
		cmd.AddCommand(&cobra.Command{Use: name, Short: short + " (built with -tags pool only)",
			DisableFlagParsing: true,
			RunE: func(cmd *cobra.Command, args []string) error {
				if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
					return cmd.Help()
				}
				return withoutPool("sweep " + name)
			}})
	}
}

// withoutPool says how to get the command with all that there is.
func withoutPool(what string) error {
	return inputError(what, "this command was built without it; write go install -tags pool "+
		"github.com/empire-go/empire-go/cmd/empire-go@latest")
}

func (s *sharedFlags) check(*cobra.Command) error {
	if s.isWanted() {
		return withoutPool("--connect")
	}
	return nil
}

func (s *sharedFlags) isWanted() bool { return s.connect != "" }

func (s *sharedFlags) run(*cobra.Command, *empire.Session, empire.Request, []sweep.Item, bool, logFlag, *progress) (
	*sweep.Table, error) {
	return nil, withoutPool("--connect")
}

// embeddedQueue is the one in memory.
func embeddedQueue(context.Context, *answers.Store) (queue.Queue, func(), error) {
	return nil, func() {}, nil
}
