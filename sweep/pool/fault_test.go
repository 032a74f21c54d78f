//go:build linux

package pool

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/empire-go/empire-go/sweep/jetstream"
	"github.com/empire-go/empire-go/sweep/jetstream/jetstreamtest"
)

// The faults of processes, on one machine: three nodes, four workers and a coordinator are processes of the command, on
// loopback, and are ended by their numbers. With EMPIRE_FAULTS a sweep is small, with EMPIRE_LONG it has 10,350
// queries.

// isLong tells whether the sizes are those that are reported.
var isLong = os.Getenv("EMPIRE_LONG") != ""

// command builds the command, once.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "empire-fault")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "empire-go")
	out, err := exec.Command("go", "build", "-tags", "pool", "-o", name, "../../cmd/empire-go").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

// many writes a module with a program that has types, about each of which all pairs of so many fields can be asked.
func many(t *testing.T, types, fields int) string {
	t.Helper()
	var b, main strings.Builder
	b.WriteString("package main\n\nimport \"sync\"\n")
	for i := range types {
		fmt.Fprintf(&b, "\ntype T%d struct {\n\tmu sync.Mutex\n", i)
		var set []string
		for f := range fields {
			fmt.Fprintf(&b, "\tf%d int\n", f)
			set = append(set, fmt.Sprintf("t.f%d = n", f))
		}
		fmt.Fprintf(&b, "}\n\nfunc (t *T%d) Set(n int) { t.mu.Lock(); defer t.mu.Unlock(); %s }\n", i,
			strings.Join(set, "; "))
		for f, name := range []string{"one", "two"} {
			fmt.Fprintf(&b, "\nfunc (t *T%d) %s() int { t.mu.Lock(); defer t.mu.Unlock(); return t.f%d }\n", i, name, f)
		}
		fmt.Fprintf(&b, "\nfunc (t *T%d) Sum() int { return t.one() + t.two() }\n", i)
		fmt.Fprintf(&main, "\tt%[1]d := &T%[1]d{}\n\twg.Go(func() { t%[1]d.Set(1) })\n"+
			"\twg.Go(func() { println(t%[1]d.Sum()) })\n", i)
	}
	fmt.Fprintf(&b, "\nfunc main() {\n\tvar wg sync.WaitGroup\n%s\twg.Wait()\n}\n", main.String())
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/many\n\ngo 1.26\n", "main.go": b.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// proc is a process of the command.
type proc struct {
	*exec.Cmd
	out, err lockedBuffer
	ended    chan struct{}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// start starts the command in a directory. It is killed when the test ends, with all that it has started.
func start(t *testing.T, dir string, args ...string) *proc {
	t.Helper()
	name, err := command()
	if err != nil {
		t.Fatal(err)
	}
	p := &proc{Cmd: exec.Command(name, args...), ended: make(chan struct{})}
	p.Dir, p.Stdout, p.Stderr = dir, &p.out, &p.err
	p.Env = append(os.Environ(), "GOMAXPROCS=2")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

func (p *proc) kill() {
	p.Process.Signal(syscall.SIGCONT)
	p.Process.Kill()
	<-p.ended
}

// wait waits for the end.
func (p *proc) wait(t *testing.T, limit time.Duration) {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(limit):
		t.Fatalf("%v does not end; it says\n%s", p.Args, tailOf(p.err.String()))
	}
}

func tailOf(s string) string { return s[max(0, len(s)-4000):] }

// cluster is three nodes.
type cluster struct {
	t              *testing.T
	client, routes [3]string
	dirs           [3]string
	nodes          [3]*proc
	pool           *jetstream.Pool // of the test itself
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t}
	ports := jetstreamtest.Addresses(t, 6)
	copy(c.client[:], ports[:3])
	copy(c.routes[:], ports[3:])
	for i := range c.nodes {
		c.dirs[i] = filepath.Join(t.TempDir(), "state")
	}
	for i := range c.nodes {
		c.start(i)
	}
	c.connect()
	return c
}

// start starts a node.
func (c *cluster) start(i int, more ...string) {
	c.t.Helper()
	c.nodes[i] = start(c.t, c.t.TempDir(), append([]string{"sweep", "serve", "--listen", c.client[i], "--cluster",
		c.routes[i], "--peers", strings.Join(c.routes[:], ","), "--state", c.dirs[i], "--name", fmt.Sprint("n", i), "--log",
		"warn"}, more...)...)
}

func (c *cluster) url() string { return "nats://" + strings.Join(c.client[:], ",nats://") }

// connect waits until the nodes have found each other.
func (c *cluster) connect() {
	c.t.Helper()
	begin := time.Now()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	for ctx.Err() == nil {
		pool, err := jetstream.Connect(ctx, jetstream.ConnectOptions{URL: c.url()})
		if err == nil {
			if _, err = pool.Answers(ctx); err == nil {
				c.pool = pool
				c.t.Cleanup(pool.Close)
				c.t.Logf("three nodes are ready after %.1f s", time.Since(begin).Seconds())
				return
			}
			pool.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	c.t.Fatalf("the nodes do not find each other:\n%s", tailOf(c.nodes[0].err.String()))
}

// faultRig is a cluster with workers, about a module.
type faultRig struct {
	*cluster
	dir     string
	workers [4]*proc
	silence time.Duration
	parts   int
	batch   int
	metrics string
}

func newFaultRig(t *testing.T) *faultRig {
	t.Helper()
	types, fields, silence, batch := 3, 15, 2*time.Second, 5
	if isLong {
		types, fields, silence, batch = 10, 46, DefaultSilence, DefaultBatch
	}
	r := &faultRig{cluster: newCluster(t), dir: many(t, types, fields), silence: silence,
		parts: types * fields * (fields - 1) / 2, batch: batch,
		metrics: jetstreamtest.Addresses(t, 1)[0]}
	for i := range r.workers {
		r.work(i)
	}
	return r
}

func (r *faultRig) work(i int) {
	r.workers[i] = start(r.t, r.t.TempDir(), "sweep", "worker", "--connect", r.url(), "--forever", "--dir", r.dir,
		"--name", fmt.Sprint("w", i))
}

// args are those of a sweep.
func (r *faultRig) args(more ...string) []string {
	return append([]string{"sweep", "--sets", "pairs", "--scenario", "1", "--format", "json", "./..."}, more...)
}

// alone returns the table of one process, and its processor time.
func (r *faultRig) alone(state string) (string, time.Duration) {
	r.t.Helper()
	p := start(r.t, r.dir, r.args("--state", state)...)
	p.wait(r.t, 20*time.Minute)
	return p.out.String(), p.ProcessState.UserTime() + p.ProcessState.SystemTime()
}

// coordinate starts a coordinator.
func (r *faultRig) coordinate(more ...string) *proc {
	r.t.Helper()
	return start(r.t, r.dir, r.args(append(more, "--connect", r.url(), "--log", "info", "--lease", r.silence.String(),
		"--batch", strconv.Itoa(r.batch), "--metrics", r.metrics)...)...)
}

var metric = regexp.MustCompile(`(?m)^(empire_[a-z_]+) ([0-9.e+]+)$`)

// read reads the counters of the coordinator.
func (r *faultRig) read() map[string]float64 {
	all := map[string]float64{}
	response, err := http.Get("http://" + r.metrics + "/metrics")
	if err != nil {
		return all
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body) // what was read counts
	for _, m := range metric.FindAllStringSubmatch(string(text), -1) {
		all[m[1]], _ = strconv.ParseFloat(m[2], 64)
	}
	return all
}

// until waits until a part of the sweep is answered, or it has ended.
func (r *faultRig) until(p *proc, part float64) {
	r.t.Helper()
	for end := time.Now().Add(20 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		select {
		case <-p.ended:
			r.t.Logf("the sweep had ended before %.0f %% were seen", 100*part)
			return
		default:
		}
		if all := r.read(); all["empire_parts"] > 0 && all["empire_parts_open"] <= (1-part)*all["empire_parts"] {
			return
		}
	}
	r.t.Fatal("there is no progress")
}

var summary = regexp.MustCompile(`msg="the sweep has ended" .*`)

// figure returns a number of the coordinator's last line.
func figure(line, name string) float64 {
	m := regexp.MustCompile(` ` + name + `=([0-9.]+)`).FindStringSubmatch(line)
	if m == nil {
		return -1
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	return n
}

// judge requires that the table is that of one process, that nothing is lost, and little was answered twice.
func (r *faultRig) judge(name, want string, p *proc, twice float64) {
	r.t.Helper()
	p.wait(r.t, 20*time.Minute)
	line := summary.FindString(p.err.String())
	twice += figure(line, "twice")
	r.t.Logf("%s: %d queries: lost %.0f, answered twice %.0f, crashes %.0f, %.1f s", name, r.parts, figure(line, "lost"),
		twice, figure(line, "crashes"), figure(line, "seconds"))
	if p.out.String() != want {
		r.t.Errorf("%s: the table is not that of one process; it has %d bytes, not %d; the coordinator says\n%s", name,
			len(p.out.String()), len(want), tailOf(p.err.String()))
	}
	if figure(line, "lost") != 0 {
		r.t.Errorf("%s: %s", name, line)
	}
	most := float64(r.parts) / 100
	if !isLong { // that is less than what four workers hold, and the results that a coordinator takes in at once
		most = float64(len(r.workers)*r.batch + 100)
	}
	if twice > most {
		r.t.Errorf("%s: %.0f answered twice, more than %.0f", name, twice, most)
	}
}

// leader returns the number of the node that the others follow in what the sweep does.
func (r *faultRig) leader() int {
	ids, err := r.pool.Sweeps(r.t.Context())
	if err == nil && len(ids) > 0 {
		if s, err := r.pool.StateOf(r.t.Context(), ids[0]); err == nil {
			if n, err := strconv.Atoi(strings.TrimPrefix(s.Leader, "n")); err == nil {
				return n
			}
		}
	}
	return 0
}

func TestFaults(t *testing.T) {
	if !isLong && os.Getenv("EMPIRE_FAULTS") == "" {
		t.Skip("set EMPIRE_FAULTS=1, or EMPIRE_LONG=1 for the full size: it kills processes by the clock")
	}
	r := newFaultRig(t)
	// The table is the same each time; the first sweep of the pool finds no answers, the others answer everything again.
	want, fast := r.alone("none")
	t.Run("coordinator", func(t *testing.T) {
		p := r.coordinate()
		r.until(p, 0.4)
		twice := r.read()["empire_answered_twice_total"]
		p.kill()
		r.judge("coordinator killed", want, r.coordinate(), twice)
	})
	t.Run("none", func(t *testing.T) {
		kept, alone := r.alone(filepath.Join(t.TempDir(), "state"))
		if kept != want {
			t.Error("one process that keeps its answers prints another table than one that keeps nothing")
		}
		before := r.cpu()
		p := r.coordinate("--again")
		r.judge("no fault", want, p, 0)
		pool := r.cpu() - before + p.ProcessState.UserTime() + p.ProcessState.SystemTime()
		ratio := pool.Seconds() / alone.Seconds()
		t.Logf("processor time: one process %.1f s (%.1f s if it keeps nothing), pool %.1f s, ratio %.2f (%.2f)",
			alone.Seconds(), fast.Seconds(), pool.Seconds(), ratio, pool.Seconds()/fast.Seconds())
		if isLong && ratio > 1.3 {
			t.Errorf("the pool takes %.2f times the processor time of one process", ratio)
		}
	})
	t.Run("leader", func(t *testing.T) {
		p := r.coordinate("--again")
		r.until(p, 0.3)
		n := r.leader()
		t.Logf("node %d is killed", n)
		r.nodes[n].kill()
		r.judge("leader killed", want, p, 0)
		r.start(n)
		r.pool.Close()
		r.connect()
	})
	t.Run("workers", func(t *testing.T) {
		p := r.coordinate("--again")
		for i := range r.workers {
			r.until(p, 0.15+0.2*float64(i))
			r.workers[i].kill()
			r.work(i)
		}
		r.judge("each worker killed", want, p, 0)
	})
	t.Run("stopped", func(t *testing.T) {
		p := r.coordinate("--again")
		r.until(p, 0.2)
		r.workers[0].Process.Signal(syscall.SIGSTOP)
		time.Sleep(2 * r.silence)
		r.workers[0].Process.Signal(syscall.SIGCONT)
		r.judge("worker stopped", want, p, 0)
	})
	t.Run("disk", func(t *testing.T) {
		r.nodes[2].kill()
		small := t.TempDir()
		if err := syscall.Mount("none", small, "tmpfs", 0, "size=256m"); err != nil {
			t.Skipf("a file system of its own needs rights: %v", err)
		}
		t.Cleanup(func() { syscall.Unmount(small, syscall.MNT_DETACH) })
		r.dirs[2] = filepath.Join(small, "state")
		r.start(2)
		t.Cleanup(r.nodes[2].kill)
		time.Sleep(3 * time.Second) // it has to get what it has lost
		p := r.coordinate("--again")
		r.until(p, 0.1)
		ballast, err := os.Create(filepath.Join(small, "ballast"))
		for err == nil {
			_, err = ballast.Write(make([]byte, 64<<10))
		}
		r.judge("disk full on one node", want, p, 0)
		if isLong { // with little to write the node notices only when it next saves its own state, a minute later
			r.nodes[2].wait(t, 3*time.Minute)
			t.Logf("the node says: %.600s", r.nodes[2].err.String())
		}
	})
}

// cpu returns the processor time that nodes and workers have taken, with the children of workers.
func (r *faultRig) cpu() (sum time.Duration) {
	for _, p := range append(r.nodes[:], r.workers[:]...) {
		sum += cpuOf(p.Process.Pid)
	}
	return sum
}

// cpuOf returns the processor time of a process, and of the processes that it has started and that are there still, or
// have ended.
func cpuOf(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	words := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks := 0
	for _, w := range words[11:15] { // utime, stime, cutime, cstime
		n, _ := strconv.Atoi(w)
		ticks += n
	}
	sum := time.Duration(ticks) * 10 * time.Millisecond
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range threads {
		children, _ := os.ReadFile(name)
		for _, child := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(child); err == nil {
				sum += cpuOf(n)
			}
		}
	}
	return sum
}
