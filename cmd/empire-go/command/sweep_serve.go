//go:build pool

package command

import (
	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/sweep/jetstream"
)

// serveFlags are the flags of sweep serve.
type serveFlags struct {
	node    jetstream.NodeOptions
	roles   string
	tls     jetstream.TLSFiles
	max     sizeValue
	observe observeFlags
}

func newSweepServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve --listen HOST:PORT --state DIR",
		Short: "Be a node of a pool: keep tasks and answers",
		Long: `Be a node of a pool: keep the tasks, the answers and the sources of sweeps, until it is
stopped. It is a server of NATS with JetStream. One node will do; of three that know
each other (--cluster, --peers) any one may be lost.

Nothing listens beyond this machine without credentials: --roles names a file of tokens,
a line for each role, and --tls-cert and --tls-key those of a certificate.

  coordinator TOKEN     who sweeps: may read and write everything
  worker NAME TOKEN     may take tasks, and hand in answers under its name
  cluster TOKEN         other nodes

A worker with wrong answers, or a coordinator with sources that were made up: see
go doc github.com/empire-go/empire-go/sweep/pool.

A node that cannot write any more, as its disk is full, ends with one line; the others go on.
What was acknowledged is written to the disk at once with --durable; without it, a loss of
power may lose two minutes. A process that is killed loses nothing in either case.`,
		Example: `  empire-go sweep serve --listen 127.0.0.1:4222 --state /var/lib/empire
  empire-go sweep serve --listen 10.0.0.1:4222 --cluster 10.0.0.1:6222 --peers 10.0.0.2:6222,10.0.0.3:6222 \
    --state /var/lib/empire --roles tokens --tls-cert node.pem --tls-key node.key --tls-ca ca.pem`,
		Args: noArguments,
	}
	s := &serveFlags{max: jetstream.DefaultStore}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&s.node.Listen, "listen", "", "the address for workers and coordinators, `HOST:PORT`")
	f.StringVar(&s.node.Dir, "state", "", "keep everything in `DIR`, which no other process may use meanwhile")
	f.StringVar(&s.node.Name, "name", "", "the `name` of the node in its cluster (default: by its address)")
	f.StringVar(&s.node.Cluster, "cluster", "", "the address for the other nodes, `HOST:PORT`")
	f.StringSliceVar(&s.node.Peers, "peers", nil, "the addresses of the other nodes, `HOST:PORT,...`")
	f.StringVar(&s.roles, "roles", "", "the `FILE` with the tokens of those that may connect")
	f.StringVar(&s.tls.Cert, "tls-cert", "", "the `FILE` with the node's certificate")
	f.StringVar(&s.tls.Key, "tls-key", "", "the `FILE` with its key")
	f.StringVar(&s.tls.CA, "tls-ca", "", "the `FILE` with the certificate of who has signed those of all nodes")
	f.Var(&s.max, "max-store", "keep `size` at most")
	f.BoolVar(&s.node.Durable, "durable", false, "write to the disk what is acknowledged, before it is: a loss of power "+
		"loses nothing")
	s.observe.add(cmd, "info")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return s.run(cmd) }
	return cmd
}

func (s *serveFlags) run(cmd *cobra.Command) error {
	if err := s.check(); err != nil {
		return err
	}
	log, metrics, stop, err := s.observe.start(cmd)
	if err != nil {
		return err
	}
	defer stop()
	s.node.Log, s.node.MaxStore = log, int64(s.max)
	node, err := jetstream.StartNode(cmd.Context(), s.node)
	if err != nil {
		return asInputError("sweep serve", err)
	}
	defer node.Stop()
	if metrics != nil {
		metrics.Watch(node)
	}
	log.Info("ready", "listen", s.node.Listen, "cluster", s.node.Cluster, "state", s.node.Dir)
	select {
	case <-cmd.Context().Done():
		log.Info("stopping")
		return nil
	case <-node.Failed():
		return inputError("--state "+s.node.Dir, "cannot be written any more; make room, and start the node again")
	}
}

// check requires credentials where others can connect.
func (s *serveFlags) check() error {
	if s.node.Listen == "" {
		return inputError("--listen", "missing; write --listen 127.0.0.1:4222")
	}
	if s.node.Dir == "" {
		return inputError("--state", "missing; write --state DIR")
	}
	if s.node.Cluster == "" && len(s.node.Peers) > 0 {
		return inputError("--peers", "needs --cluster; write both")
	}
	hasTLS := s.tls.Cert != "" || s.tls.Key != ""
	if hasTLS && (s.tls.Cert == "" || s.tls.Key == "") {
		return inputError("--tls-cert", "needs --tls-key; write both")
	}
	if s.roles != "" {
		roles, err := readRoles(s.roles)
		if err != nil {
			return err
		}
		s.node.Roles = roles
	}
	for flag, address := range map[string]string{"--listen": s.node.Listen, "--cluster": s.node.Cluster} {
		if address == "" || jetstream.IsLoopback(address) {
			continue
		}
		if s.roles == "" || !hasTLS {
			return inputError(flag, "%s can be reached from other machines; write --roles, --tls-cert and --tls-key, or an "+
				"address such as 127.0.0.1:4222", address)
		}
		if flag == "--cluster" && (!s.node.Roles.Has(jetstream.Cluster) || s.tls.CA == "") {
			return inputError(flag, "%s can be reached from other machines; write --tls-ca, and a line cluster TOKEN in %s",
				address, s.roles)
		}
	}
	if hasTLS {
		s.node.TLS = &s.tls
	}
	return nil
}
