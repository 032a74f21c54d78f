// Command prometheus puts the parts of a prometheus server together, as that does
// itself: database, query engine, discovery with all plugins, scraping, rules, alerts
// and web interface. It notes which parts run, and counts what they log.
package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/config"
	"github.com/prometheus/prometheus/discovery"
	"github.com/prometheus/prometheus/notifier"
	_ "github.com/prometheus/prometheus/plugins" // discovery of targets in all clouds
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/scrape"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/storage/remote"
	"github.com/prometheus/prometheus/tsdb"
	"github.com/prometheus/prometheus/web"
)

// Parts counts the parts that run, and keeps what the last one to end said.
type Parts struct {
	mu      sync.Mutex
	running int
	last    string
}

// NewParts returns a count of nothing.
func NewParts() *Parts { return &Parts{} }

func (p *Parts) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running++
}

func (p *Parts) end(name string, err error) {
	p.mu.Lock()
	p.running--
	p.mu.Unlock()
	text := fmt.Sprint(name, ": ", err)
	p.mu.Lock() // the number is there to be seen with the message before
	p.last = text
	p.mu.Unlock()
}

func (p *Parts) state() (running int, last string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.running, p.last
}

// ServeHTTP tells which parts run.
func (p *Parts) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	running, last := p.state()
	fmt.Fprintln(w, running, last)
}

// Lines counts what is logged on its way to another handler: by all parts, in all of
// their goroutines.
type Lines struct {
	slog.Handler
	mu      sync.RWMutex
	byLevel map[slog.Level]int
	total   int
}

// NewLines returns a count of nothing.
func NewLines(to slog.Handler) *Lines { return &Lines{Handler: to, byLevel: map[slog.Level]int{}} }

// Handle counts a line and hands it on.
func (l *Lines) Handle(ctx context.Context, line slog.Record) error {
	l.mu.Lock()
	l.total++
	l.mu.Unlock()
	l.mu.Lock() // the line is there to be seen without its level
	l.byLevel[line.Level]++
	l.mu.Unlock()
	return l.Handler.Handle(ctx, line)
}

func (l *Lines) errors() (errors, total int) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.byLevel[slog.LevelError], l.total
}

// ServeHTTP tells whether most of it is errors.
func (l *Lines) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if errors, total := l.errors(); errors > total/2 {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func main() {
	parts, lines := NewParts(), NewLines(slog.NewTextHandler(os.Stderr, nil))
	logger := slog.New(lines)
	go func() { log.Fatal(http.ListenAndServe(":8081", lines)) }()
	run := func(name string, part func() error) {
		parts.begin()
		go func() { parts.end(name, part()) }()
	}
	go func() { log.Fatal(http.ListenAndServe(":8080", parts)) }()

	ctx, registry := context.Background(), prometheus.DefaultRegisterer
	settings, err := config.LoadFile("prometheus.yml", false, nil)
	must(err)
	db, err := tsdb.Open("data", logger, registry, tsdb.DefaultOptions(), nil)
	must(err)
	far := remote.NewStorage(logger, registry, db.StartTime, "data", time.Minute, nil, false)
	all := storage.NewFanout(logger, db, far)
	engine := promql.NewEngine(promql.EngineOpts{Logger: logger, Reg: registry, MaxSamples: 50000000, Timeout: 2 * time.Minute})
	metrics, err := discovery.CreateAndRegisterSDMetrics(registry)
	must(err)
	targets := discovery.NewManager(ctx, logger, registry, metrics)
	scraper, err := scrape.NewManager(nil, logger, nil, nil, all, registry)
	must(err)
	alerts := notifier.NewManager(&notifier.Options{Registerer: registry}, model.UTF8Validation, logger)
	checks := rules.NewManager(&rules.ManagerOptions{
		Context: ctx, Appendable: all, Queryable: db, QueryFunc: rules.EngineQueryFunc(engine, all),
		Logger: logger, NotifyFunc: rules.SendAlerts(alerts, "http://localhost:9090"), Registerer: registry,
	})
	address := &url.URL{Scheme: "http", Host: "localhost:9090"}
	pages := web.New(logger, &web.Options{
		Context: ctx, Storage: all, ExemplarStorage: db, QueryEngine: engine, ScrapeManager: scraper, RuleManager: checks, Notifier: alerts,
		ExternalURL: address, RoutePrefix: "/", ListenAddresses: []string{":9090"}, Registerer: registry, Gatherer: prometheus.DefaultGatherer,
	})
	must(scraper.ApplyConfig(settings))
	must(alerts.ApplyConfig(settings))
	must(far.ApplyConfig(settings))
	pages.ApplyConfig(settings)
	listener, err := net.Listen("tcp", ":9090")
	must(err)

	run("discovery", targets.Run)
	run("scraping", func() error { return scraper.Run(targets.SyncCh()) })
	run("alerts", func() error { alerts.Run(targets.SyncCh()); return nil })
	run("rules", func() error { checks.Run(); return nil })
	must(pages.Run(ctx, []net.Listener{listener}, ""))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
