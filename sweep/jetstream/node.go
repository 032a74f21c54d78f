package jetstream

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// MaxMessage is how large a message may be, in bytes: an answer, or a task.
const MaxMessage = 8 << 20

// NodeOptions say what a node is.
type NodeOptions struct {
	Name     string   // in its cluster; default: one of its own that does not change
	Dir      string   // where it keeps what it has; nobody else may use it meanwhile
	Listen   string   // HOST:PORT for clients; "": none but this process
	Cluster  string   // HOST:PORT for other nodes; "": it is alone
	Peers    []string // HOST:PORT of others of the cluster, one at least unless it is the first
	MaxStore int64    // bytes that it may keep; 0: DefaultStore
	Scratch  bool     // what it has is removed when it is stopped, and what another one has left there before
	Durable  bool     // what was acknowledged is on the disk: a loss of power loses nothing
	Roles    Roles    // who may do what; nil: anyone anything, which is for loopback only
	TLS      *TLSFiles
	Log      *slog.Logger // nil: none
}

// DefaultStore is how much a node may keep, in bytes.
const DefaultStore = 10 << 30

// Node is a server of NATS with JetStream, in this process.
type Node struct {
	server  *server.Server
	lock    *dirLock
	scratch string // what is removed in the end
	failed  chan struct{}
	stopped chan struct{}
}

// StartNode starts a node, and waits until it can be asked something; a node of a cluster may have to wait for
// others before it can keep anything. The error is a *BusyError if another process has the directory.
func StartNode(ctx context.Context, o NodeOptions) (*Node, error) {
	lock, err := lockDir(o.Dir)
	if err != nil {
		return nil, err
	}
	n := &Node{lock: lock, failed: make(chan struct{}), stopped: make(chan struct{})}
	if o.Scratch {
		n.scratch = o.store()
		err = os.RemoveAll(n.scratch)
	}
	if err == nil {
		err = n.start(ctx, o)
	}
	if err != nil {
		lock.release()
		return nil, err
	}
	go n.watch()
	return n, nil
}

// watch ends the server when it can keep nothing any more, as its disk is full: then it only stands in the way of those
// that are connected to it, who go to another node of the cluster.
func (n *Node) watch() {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-n.stopped:
			return
		case <-tick.C:
		}
		if !n.server.JetStreamEnabled() && n.server.Running() {
			n.server.Shutdown()
			close(n.failed)
			return
		}
	}
}

// Failed is closed when the node has ended, as it can keep nothing any more. What it has kept is there when it is
// started again.
func (n *Node) Failed() <-chan struct{} { return n.failed }

func (n *Node) start(ctx context.Context, o NodeOptions) error {
	opts, err := o.options()
	if err != nil {
		return err
	}
	if n.server, err = server.NewServer(opts); err != nil {
		return err
	}
	failed := make(chan string, 1)
	n.server.SetLogger(&logger{o.Log, failed}, false, false)
	go n.server.Start()
	for begin := time.Now(); ; {
		if n.server.ReadyForConnections(200*time.Millisecond) && n.server.JetStreamEnabled() {
			return nil
		}
		select {
		case why := <-failed:
			n.server.Shutdown()
			return errors.New(why)
		default:
		}
		if ctx.Err() != nil || time.Since(begin) > 30*time.Second {
			n.server.Shutdown()
			return errors.New("is not ready after 30 s")
		}
	}
}

// store is where the server keeps what it has.
func (o NodeOptions) store() string { return filepath.Join(o.Dir, "nats") }

// options returns what the server goes by.
func (o NodeOptions) options() (*server.Options, error) {
	store := o.MaxStore
	if store == 0 {
		store = DefaultStore
	}
	opts := &server.Options{
		ServerName: o.Name, StoreDir: o.store(), JetStream: true,
		JetStreamMaxStore: store, JetStreamMaxMemory: 64 << 20, DisableJetStreamBanner: true,
		SyncAlways: o.Durable, NoSigs: true, MaxPayload: MaxMessage, WriteDeadline: 10 * time.Second,
	}
	if o.Listen == "" {
		opts.DontListen = true
		return opts, nil
	}
	var err error
	if opts.Host, opts.Port, err = hostPort(o.Listen); err != nil {
		return nil, err
	}
	if o.Roles != nil {
		opts.CustomClientAuthentication = o.Roles
	}
	if o.TLS != nil {
		if opts.TLSConfig, err = o.TLS.server(false); err != nil {
			return nil, err
		}
		opts.TLSTimeout = 10
	}
	if o.Cluster == "" {
		return opts, nil
	}
	cluster := &opts.Cluster
	cluster.Name = "empire"
	if cluster.Host, cluster.Port, err = hostPort(o.Cluster); err != nil {
		return nil, err
	}
	cluster.Username, cluster.Password = o.Roles.cluster()
	if o.TLS != nil {
		if cluster.TLSConfig, err = o.TLS.server(true); err != nil {
			return nil, err
		}
		cluster.TLSTimeout = 10
	}
	for _, peer := range o.Peers {
		if _, _, err := hostPort(peer); err != nil {
			return nil, err
		}
		route := &url.URL{Scheme: "nats-route", Host: peer}
		if cluster.Username != "" {
			route.User = url.UserPassword(cluster.Username, cluster.Password)
		}
		opts.Routes = append(opts.Routes, route)
	}
	if opts.ServerName == "" {
		opts.ServerName = "node-" + net.JoinHostPort(cluster.Host, strconv.Itoa(cluster.Port))
	}
	return opts, nil
}

func hostPort(text string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(text)
	if err != nil {
		return "", 0, fmt.Errorf("%q is no HOST:PORT", text)
	}
	if port, err = strconv.Atoi(digits); err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("%q has no port between 1 and 65535", text)
	}
	return host, port, nil
}

// IsLoopback tells whether an address is of this machine alone.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Stop stops the node: what it has is on the disk, unless it is scratch.
func (n *Node) Stop() {
	close(n.stopped)
	n.server.Shutdown()
	n.server.WaitForShutdown()
	if n.scratch != "" {
		os.RemoveAll(n.scratch) // else the next one does
	}
	n.lock.release()
}

// Usage is what a node has and does.
type Usage struct {
	Streams, Messages, Clients int
	Bytes                      uint64
	IsLeader                   bool // of the cluster; of itself if it is alone
}

// Usage returns what the node has.
func (n *Node) Usage() Usage {
	u := Usage{Clients: n.server.NumClients(), IsLeader: n.server.JetStreamIsLeader()}
	if info, err := n.server.Jsz(nil); err == nil {
		u.Streams, u.Messages, u.Bytes = info.Streams, int(info.Messages), info.Bytes
	}
	return u
}

// TLSFiles names files in the PEM format: of a certificate, of its key, and of the authority that has signed those
// of all nodes. Between nodes both sides show their certificates.
type TLSFiles struct{ Cert, Key, CA string }

func (f *TLSFiles) server(mutual bool) (*tls.Config, error) {
	cert, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS13}
	if mutual {
		pool, err := readCA(f.CA)
		if err != nil {
			return nil, err
		}
		config.ClientAuth, config.ClientCAs, config.RootCAs = tls.RequireAndVerifyClientCert, pool, pool
	}
	return config, nil
}

// logger hands what the server has to say to a logger of the standard library's.
type logger struct {
	to     *slog.Logger
	failed chan string
}

func (l *logger) log(level slog.Level, format string, v []any) {
	if l.to != nil {
		l.to.Log(context.Background(), level, fmt.Sprintf(format, v...), "from", "nats")
	}
}

func (l *logger) Noticef(format string, v ...any) { l.log(slog.LevelDebug, format, v) }
func (l *logger) Warnf(format string, v ...any)   { l.log(slog.LevelWarn, format, v) }
func (l *logger) Errorf(format string, v ...any)  { l.log(slog.LevelError, format, v) }
func (l *logger) Debugf(format string, v ...any)  {}
func (l *logger) Tracef(format string, v ...any)  {}

func (l *logger) Fatalf(format string, v ...any) {
	l.log(slog.LevelError, format, v)
	select {
	case l.failed <- fmt.Sprintf(format, v...):
	default:
	}
}
