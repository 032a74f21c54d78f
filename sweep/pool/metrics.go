package pool

import (
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/jetstream"
)

// Metrics are counters that are read in Prometheus's format. The methods of nil count nothing.
type Metrics struct {
	registry *prometheus.Registry

	queries   *prometheus.CounterVec
	seconds   prometheus.Histogram
	crashes   prometheus.Counter
	children  prometheus.Counter
	handed    prometheus.Counter
	twice     prometheus.Counter
	open, all prometheus.Gauge
}

// NewMetrics returns counters that are all 0.
func NewMetrics() *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: "empire", Name: name, Help: help})
		m.registry.MustRegister(c)
		return c
	}
	gauge := func(name, help string) prometheus.Gauge {
		g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "empire", Name: name, Help: help})
		m.registry.MustRegister(g)
		return g
	}
	m.queries = prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "empire", Name: "queries_total",
		Help: "Queries that were answered, by verdict."}, []string{"verdict"})
	m.seconds = prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "empire", Name: "part_seconds",
		Help:    "Time to answer one part of a sweep: a request about a program.",
		Buckets: prometheus.ExponentialBuckets(0.001, 4, 10)})
	m.registry.MustRegister(m.queries, m.seconds)
	m.crashes = counter("crashes_total", "Children that ended before they had an answer.")
	m.children = counter("children_total", "Children that have loaded packages.")
	m.handed = counter("handed_again_total", "Tasks that had been handed out before.")
	m.twice = counter("answered_twice_total", "Parts that were answered a second time.")
	m.all = gauge("parts", "Parts of the sweep.")
	m.open = gauge("parts_open", "Parts of the sweep that have no answer yet.")
	return m
}

func (m *Metrics) answered(a sweep.Answer, took time.Duration) {
	if m == nil {
		return
	}
	for _, r := range a.Rows {
		switch r.Query.Verdict {
		case empire.VerdictSafe, empire.VerdictViolation, empire.VerdictUnknown:
			m.queries.WithLabelValues(r.Query.Verdict).Inc()
		}
	}
	m.seconds.Observe(took.Seconds())
}

func (m *Metrics) crash()  { m.inc(func() prometheus.Counter { return m.crashes }) }
func (m *Metrics) loaded() { m.inc(func() prometheus.Counter { return m.children }) }
func (m *Metrics) again()  { m.inc(func() prometheus.Counter { return m.handed }) }
func (m *Metrics) second() { m.inc(func() prometheus.Counter { return m.twice }) }

func (m *Metrics) inc(counter func() prometheus.Counter) {
	if m != nil {
		counter().Inc()
	}
}

func (m *Metrics) left(open, all int) {
	if m != nil {
		m.open.Set(float64(open))
		m.all.Set(float64(all))
	}
}

// Watch adds what a node has and does.
func (m *Metrics) Watch(n *jetstream.Node) {
	for name, value := range map[string]func(jetstream.Usage) float64{
		"node_messages": func(u jetstream.Usage) float64 { return float64(u.Messages) },
		"node_bytes":    func(u jetstream.Usage) float64 { return float64(u.Bytes) },
		"node_clients":  func(u jetstream.Usage) float64 { return float64(u.Clients) },
		"node_leader": func(u jetstream.Usage) float64 {
			if u.IsLeader {
				return 1
			}
			return 0
		},
	} {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: "empire", Name: name,
			Help: "Of the node of this process."}, func() float64 { return value(n.Usage()) }))
	}
}

// Serve lets the counters be read at HOST:PORT/metrics, until stop is called. It has no credentials and no encryption,
// so it is for loopback.
func (m *Metrics) Serve(address string) (stop func(), err error) {
	if !jetstream.IsLoopback(address) {
		return nil, errors.New("is read without credentials; write 127.0.0.1:PORT, and let an agent on the machine read it")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	return func() { server.Close() }, nil
}
