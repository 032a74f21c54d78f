package jetstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ConnectOptions say where a pool is, and who connects.
type ConnectOptions struct {
	URL      string       // nats://HOST:PORT, or several with commas; tls:// where the nodes speak that
	Role     Role         // with the token; without one, for nodes that ask for none
	CA       string       // file of the authority that has signed the nodes' certificates; "": those of the system
	Replicas int          // nodes that keep what is stored; 0: three if there are so many, else one
	Node     *Node        // the node of this process, in place of URL
	Log      *slog.Logger // nil: none
}

// Pool is a connection to nodes, which is made again when it breaks.
type Pool struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	role     Role
	replicas int
}

// Connect connects to a pool. It tries for so long as the context allows, 10 s at most.
func Connect(ctx context.Context, o ConnectOptions) (*Pool, error) {
	options := []nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.Timeout(3 * time.Second),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2), nats.IgnoreAuthErrorAbort(),
		nats.Name(o.Role.Kind + " " + o.Role.Name), nats.CustomInboxPrefix(inboxOf(o.Role.Name)),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if o.Log != nil {
				o.Log.Warn("the nodes have refused something", "why", err)
			}
		}),
		// What is sent while there is no connection is an error at once: who sent it decides.
		nats.ReconnectBufSize(-1),
	}
	if o.Role.Token != "" {
		options = append(options, nats.Token(o.Role.Token))
	}
	if o.CA != "" {
		pool, err := readCA(o.CA)
		if err != nil {
			return nil, err
		}
		options = append(options, nats.Secure(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}))
	}
	url := o.URL
	if o.Node != nil {
		url = ""
		options = append(options, nats.InProcessServer(o.Node.server))
	}
	var conn *nats.Conn
	var err error
	for end := time.Now().Add(10 * time.Second); ; {
		if conn, err = nats.Connect(url, options...); err == nil {
			break
		}
		if errors.Is(err, nats.ErrAuthorization) || time.Now().After(end) || !sleep(ctx, 100*time.Millisecond) {
			return nil, errors.New(reasonOf(err))
		}
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(requestTime))
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Pool{conn: conn, js: js, role: o.Role, replicas: o.Replicas}, nil
}

// reasonOf says in words what a server has refused.
func reasonOf(err error) string {
	if errors.Is(err, nats.ErrAuthorization) {
		return "the nodes do not know the token; write one of their file"
	}
	return strings.TrimPrefix(err.Error(), "nats: ")
}

// requestTime is for how long an answer of the nodes is waited for. When a leader is lost, they may be silent for some
// seconds, and asking again costs nothing.
const requestTime = 5 * time.Second

// publishTime is that of adding a message, which is done again at once: its identity is known.
const publishTime = 2 * time.Second

// Close ends the connection.
func (p *Pool) Close() { p.conn.Close() }

// Name returns the name of the role.
func (p *Pool) Name() string { return p.role.Name }

// copies returns how many nodes keep what is stored.
func (p *Pool) copies() int {
	if p.replicas != 0 {
		return p.replicas
	}
	if len(p.conn.Servers()) >= 3 {
		return 3
	}
	return 1
}

// again carries out a request until it succeeds, or the error is not one that passes.
func again(ctx context.Context, request func(context.Context) error) error {
	return againWithin(ctx, requestTime, request)
}

// againWithin is again, where each request has so much time.
func againWithin(ctx context.Context, each time.Duration, request func(context.Context) error) error {
	for end, wait := time.Now().Add(time.Minute), 20*time.Millisecond; ; wait = min(2*wait, time.Second) {
		limited, cancel := context.WithTimeout(ctx, each)
		err := request(limited)
		cancel()
		if err == nil || ctx.Err() != nil || !passes(err) || time.Now().After(end) {
			return err
		}
		if !sleep(ctx, wait) {
			return ctx.Err()
		}
	}
}

// noPeers is the number of the error that there are too few nodes for what is to be kept.
const noPeers jetstream.ErrorCode = 10005

// passes tells whether an error may be gone when nodes have elected a leader, or are there again.
func passes(err error) bool {
	var refused *jetstream.APIError
	if errors.As(err, &refused) {
		return refused.Code >= 500 || refused.ErrorCode == noPeers
	}
	for _, lasting := range []error{jetstream.ErrKeyNotFound, jetstream.ErrKeyExists, jetstream.ErrKeyDeleted,
		jetstream.ErrObjectNotFound, jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound,
		jetstream.ErrBucketNotFound, nats.ErrMaxPayload, nats.ErrConnectionClosed, nats.ErrPermissionViolation} {
		if errors.Is(err, lasting) {
			return false
		}
	}
	return true
}

// sleep waits; false: the context is done before.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func readCA(name string) (*x509.CertPool, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate in the PEM format", name)
	}
	return pool, nil
}

// Sweeps returns the identities of the sweeps that have a queue.
func (p *Pool) Sweeps(ctx context.Context) (all []string, err error) {
	err = again(ctx, func(ctx context.Context) error {
		all = nil
		names := p.js.StreamNames(ctx)
		for name := range names.Name() {
			if id, ok := strings.CutPrefix(name, streamPrefix); ok && !strings.HasSuffix(id, resultSuffix) {
				all = append(all, id)
			}
		}
		return names.Err()
	})
	slices.Sort(all)
	return all, err
}

// State is told by workers and coordinators, to whoever listens: see Pool.States.
type State struct {
	Sweep, From string
	Text        []byte
}

// Tell tells a state of a sweep. Nobody needs to hear it.
func (p *Pool) Tell(sweep string, text []byte) {
	p.conn.Publish(subjectOf(sweep, "state", nameOf(p.role)), text)
}

// States calls the function for each state that is told of any sweep, until stop is called.
func (p *Pool) States(hear func(State)) (stop func(), err error) {
	heard, err := p.conn.Subscribe(subjectOf("*", "state", "*"), func(m *nats.Msg) {
		words := strings.Split(m.Subject, ".")
		hear(State{Sweep: words[1], From: words[3], Text: m.Data})
	})
	if err != nil {
		return nil, err
	}
	return func() { heard.Unsubscribe() }, nil
}
