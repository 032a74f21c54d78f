//go:build pool

package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/pool"
)

// poolFlags say where a pool is, and who connects.
type poolFlags struct {
	url, token, ca string
	observe        observeFlags
}

func (p *poolFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.url, "connect", "", "the nodes, as `nats://HOST:PORT`, or several with commas; tls:// if they have "+
		"certificates")
	f.StringVar(&p.token, "token-file", "", "the `FILE` with one's line of the nodes' tokens, as worker NAME TOKEN")
	f.StringVar(&p.ca, "tls-ca", "", "the `FILE` with the certificate of who has signed those of the nodes (default: "+
		"those that the system trusts)")
}

// connect connects to the nodes, as one of the kind.
func (p *poolFlags) connect(ctx context.Context, kind string, log *slog.Logger, replicas int) (*jetstream.Pool, error) {
	if p.url == "" {
		return nil, inputError("--connect", "missing; write --connect nats://HOST:PORT, of an empire-go sweep serve")
	}
	o := jetstream.ConnectOptions{URL: p.url, CA: p.ca, Role: jetstream.Role{Kind: kind}, Replicas: replicas,
		Log: log}
	if p.token != "" {
		roles, err := readRoles(p.token)
		if err != nil {
			return nil, err
		}
		if len(roles) != 1 || roles[0].Kind != kind {
			return nil, inputError("--token-file", "%s is not one line of a %s; write that line of the nodes' file",
				p.token, kind)
		}
		o.Role = roles[0]
	}
	connected, err := jetstream.Connect(ctx, o)
	return connected, asInputError("--connect "+p.url, err)
}

func readRoles(name string) (jetstream.Roles, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, inputError(name, "cannot be read; write the name of a file of tokens")
	}
	roles, err := jetstream.ParseRoles(string(text))
	return roles, asInputError(name, err)
}

// observeFlags say what a process that runs for long tells of itself.
type observeFlags struct {
	log     logFlag
	metrics string
}

func (o *observeFlags) add(cmd *cobra.Command, level string) {
	o.log.add(cmd, level)
	o.addMetrics(cmd)
}

func (o *observeFlags) addMetrics(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.metrics, "metrics", "", "let counters be read at http://`HOST:PORT`/metrics, in "+
		"Prometheus's format; on loopback only")
}

// start returns the logger, the counters, and what ends them.
func (o *observeFlags) start(cmd *cobra.Command) (*slog.Logger, *pool.Metrics, func(), error) {
	log, err := o.log.logger(cmd)
	if err != nil {
		return nil, nil, nil, err
	}
	if o.metrics == "" {
		return log, nil, func() {}, nil
	}
	metrics := pool.NewMetrics()
	stop, err := metrics.Serve(o.metrics)
	return log, metrics, stop, asInputError("--metrics", err)
}

// sharedFlags say how a sweep is carried out by a pool.
type sharedFlags struct {
	pool     poolFlags
	ship     bool
	silence  durationValue
	batch    countValue
	verify   int
	replicas int
}

// sharedOnly are the flags of a sweep that need --connect.
var sharedOnly = []string{"token-file", "tls-ca", "ship", "lease", "batch", "verify", "replicas", "metrics"}

func (s *sharedFlags) add(cmd *cobra.Command) {
	s.pool.add(cmd)
	s.silence, s.batch = durationValue(pool.DefaultSilence), pool.DefaultBatch
	f := cmd.Flags()
	f.BoolVar(&s.ship, "ship", false, "send the sources of the module to workers (default: each has a checkout)")
	f.Var(&s.silence, "lease", "`time` for which a worker may be silent, before what it has goes to another one")
	f.Var(&s.batch, "batch", "hand out `n` requests at a time")
	f.IntVar(&s.verify, "verify", pool.DefaultVerify, "answer one of `n` answers of workers here again, and compare; 1: "+
		"each, 0: none")
	f.IntVar(&s.replicas, "replicas", 0, "keep everything on `n` nodes, 1 or 3 (default: three, if there are so many)")
	s.pool.observe.addMetrics(cmd)
	cmd.Example += `
  empire-go sweep --connect nats://127.0.0.1:4222 --ship ./...`
	cmd.AddCommand(newSweepServe(), newSweepWorker(), newSweepStatus(), newSweepDrain(), newSweepExport())
}

// isWanted tells whether a pool answers.
func (s *sharedFlags) isWanted() bool { return s.pool.url != "" }

// check looks at the flags before anything is loaded, and sets what shipped sources are loaded with.
func (s *sharedFlags) check(cmd *cobra.Command) error {
	if s.pool.url == "" {
		for _, name := range sharedOnly {
			if cmd.Flags().Changed(name) {
				return inputError("--"+name, "needs --connect; write both")
			}
		}
		return nil
	}
	if s.replicas != 0 && s.replicas != 1 && s.replicas != 3 {
		return inputError("--replicas", "%d is not 1 or 3; write one of them", s.replicas)
	}
	if s.verify < 0 {
		return inputError("--verify", "%d is negative; write 0 for none, or 1 for each", s.verify)
	}
	if s.ship {
		for name, value := range pool.ShipEnv {
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// run has a pool answer what the session has loaded.
func (s *sharedFlags) run(cmd *cobra.Command, session *empire.Session, load empire.Request, items []sweep.Item,
	again bool, level logFlag, progress *progress) (*sweep.Table, error) {
	ctx := cmd.Context()
	s.pool.observe.log = level
	log, metrics, stop, err := s.pool.observe.start(cmd)
	if err != nil {
		return nil, err
	}
	defer stop()
	connected, err := s.pool.connect(ctx, jetstream.Coordinator, log, s.replicas)
	if err != nil {
		return nil, err
	}
	defer connected.Close()
	plan, err := sweep.NewPlan(ctx, session, items, nil)
	if err != nil {
		return nil, err
	}
	c := &pool.Coordinator{Pool: connected, Session: session, Plan: plan, Load: load, Again: again,
		Silence: time.Duration(s.silence), Batch: int(s.batch), Verify: s.verify, Log: log, Metrics: metrics,
		Progress: progress.counted("query")}
	if s.ship {
		_, root := session.ModuleRoot()
		if c.Shipment, err = pool.Pack(ctx, load, root); err != nil {
			return nil, asInputError("--ship", err)
		}
	}
	table, sum, err := c.Run(ctx)
	if errors.Is(err, context.Canceled) {
		return nil, err
	}
	log.Info("the sweep has ended", "sweep", sum.Sweep, "parts", sum.Parts, "before", sum.Before,
		"answered", sum.Answered, "twice", sum.Twice, "lost", sum.Lost, "crashes", sum.Crashes, "foreign", sum.Foreign,
		"verified", sum.Verified, "published", sum.Published, "seconds", fmt.Sprintf("%.1f", sum.Seconds))
	return table, asInputError("--connect "+s.pool.url, err)
}
