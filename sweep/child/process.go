package child

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
)

// Process is a child, for who has started it. It is for one goroutine.
type Process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors *tail
	memory int64
	ended  chan struct{} // closed when the process is gone
	status error         // then: how

	mu     sync.Mutex
	killed string // by the worker: why
}

// RefusedError is that what was asked cannot be answered with the sources that are here.
type RefusedError struct{ Why string }

func (e *RefusedError) Error() string { return e.Why }

// How large a child may be beyond the memory of a query, which it sees to itself: as a factor, and at least so many
// bytes, for what the packages take.
const (
	memoryFactor = 2
	memoryLeast  = 512 << 20
)

// Start starts a child by a command, and has it load the packages of a request, in the directory and within the memory
// that a query may use, doubled. The error is a *RefusedError if they cannot be loaded, a *CrashError, or that of the
// context.
func Start(ctx context.Context, command, env []string, dir string, load empire.Request) (*Process, error) {
	p, err := newProcess(command, env, dir, load.Memory)
	if err != nil {
		return nil, err
	}
	load.Dir = "."
	said, err := p.call(ctx, toChild{Load: &load}, loadTime)
	if err == nil && !said.Loaded {
		err = &RefusedError{said.Failed}
	}
	if err != nil {
		p.Stop()
		return nil, err
	}
	return p, nil
}

// newProcess starts a child, whose queries may use so much memory.
func newProcess(command, env []string, dir string, memory int64) (*Process, error) {
	p := &Process{cmd: exec.Command(command[0], command[1:]...), errors: &tail{}, ended: make(chan struct{})}
	if memory == 0 {
		memory = empire.DefaultMemory
	}
	p.memory = max(memoryFactor*memory, memoryLeast)
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = dir, env, p.errors
	separate(p.cmd)
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	preferKilled(p.cmd.Process.Pid)
	p.out = bufio.NewReaderSize(out, 1<<16)
	go p.watch()
	return p, nil
}

// CrashError is that a child has ended, or was ended, before it had an answer. Its text says how, in one line.
type CrashError struct {
	how     string
	isLimit bool
}

func (e *CrashError) Error() string { return e.how }

// IsLimit tells whether it was ended, as it took more memory or time than it may.
func (e *CrashError) IsLimit() bool { return e.isLimit }

// Check has a child carry out a whole request, in the directory, within the time. The error is a *CrashError, that of
// the context, or says why nothing could be checked.
func Check(ctx context.Context, command, env []string, dir string, r empire.Request, limit time.Duration) (
	*empire.Result, error) {
	p, err := newProcess(command, env, dir, r.Memory)
	if err != nil {
		return nil, err
	}
	defer p.Stop()
	r.Dir = "."
	said, err := p.call(ctx, toChild{Check: &r}, limit)
	if err == nil && said.Result == nil {
		err = errors.New(said.Failed)
	}
	return said.Result, err
}

// maxLine is how many bytes a line may have.
const maxLine = 128 << 20

// loadTime is how long packages may be loaded.
const loadTime = 20 * time.Minute

// watch ends a child that takes more memory than it may.
func (p *Process) watch() {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			return
		case <-tick.C:
			if used := ResidentSize(p.cmd.Process.Pid); used > p.memory {
				p.kill(fmt.Sprintf("it took %d MiB, more than the %d MiB that a child may", used>>20, p.memory>>20))
			}
		}
	}
}

func (p *Process) kill(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed == "" {
		p.killed = why
	}
	endGroup(p.cmd)
}

// Ask has a child answer a part. The error is a *RefusedError if it has other sources, a *CrashError, after which the
// child is of no use, or that of the context.
func (p *Process) Ask(ctx context.Context, a sweep.Asked) (sweep.Answer, error) {
	limit := a.Request.Timeout
	if limit == 0 {
		limit = empire.DefaultTimeout
	}
	// The limit is for each object and may be for work; the machine may have other things to do.
	said, err := p.call(ctx, toChild{Ask: &a}, 10*limit+10*time.Minute)
	switch {
	case err != nil:
		return sweep.Answer{}, err
	case said.Differs != "":
		return sweep.Answer{}, &RefusedError{said.Differs}
	case said.Answer == nil:
		return sweep.Answer{}, &CrashError{how: "has said nothing"}
	}
	return *said.Answer, nil
}

// call sends a line, and waits for the answer.
func (p *Process) call(ctx context.Context, line toChild, limit time.Duration) (said fromChild, err error) {
	text, err := json.Marshal(line)
	if err != nil {
		return said, err
	}
	stop := context.AfterFunc(ctx, func() { p.kill("it was stopped") })
	defer stop()
	late := time.AfterFunc(limit, func() { p.kill(fmt.Sprintf("it gave no answer within %s", limit)) })
	defer late.Stop()
	_, err = p.in.Write(append(text, '\n'))
	var answer []byte
	if err == nil {
		answer, err = readLine(p.out, maxLine)
	}
	if err == nil {
		if err = json.Unmarshal(answer, &said); err == nil {
			return said, nil
		}
		p.kill("its answer cannot be read: " + err.Error())
	}
	if ctx.Err() != nil {
		return said, ctx.Err()
	}
	how := p.end()
	p.mu.Lock()
	defer p.mu.Unlock()
	return said, &CrashError{how, p.killed != ""}
}

// readLine reads a line that has at most so many bytes.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if len(line) > most {
			return nil, fmt.Errorf("a line of more than %d bytes", most)
		}
	}
}

// end waits for the end of a child, and says in one line how it came.
func (p *Process) end() string {
	p.wait()
	last := p.errors.last()
	p.mu.Lock()
	killed := p.killed
	p.mu.Unlock()
	switch {
	case killed != "":
		return killed
	case last != "":
		return last
	case p.status != nil:
		return p.status.Error()
	}
	return "ended without an answer"
}

func (p *Process) wait() {
	p.in.Close()
	select {
	case <-p.ended:
		return
	default:
	}
	// A child that has closed its output may still be there.
	late := time.AfterFunc(5*time.Second, func() { endGroup(p.cmd) })
	p.status = p.cmd.Wait()
	late.Stop()
	close(p.ended)
}

// Stop ends a child, which may be nil.
func (p *Process) Stop() {
	if p == nil {
		return
	}
	endGroup(p.cmd)
	p.wait()
}

// tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write is part of io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if len(t.text) > 64<<10 {
		t.text = bytes.Clone(t.text[len(t.text)-32<<10:])
	}
	return len(p), nil
}

// last returns the last line; of a crash of Go's runtime the first one, which says what it was.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := ""
	for line := range strings.Lines(string(t.text)) {
		line = strings.TrimSpace(line)
		for _, begin := range []string{"panic: ", "fatal error: ", "runtime: out of memory", "SIG"} {
			if strings.HasPrefix(line, begin) {
				return Clip(line)
			}
		}
		if line != "" {
			last = line
		}
	}
	return Clip(last)
}

// Clip shortens a line for people.
func Clip(line string) string {
	const most = 300
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "..."
	}
	return line
}

// ID returns the number of the process.
func (p *Process) ID() int { return p.cmd.Process.Pid }

// Env is the environment of a child that loads sources which were sent: the go command finds modules, and nothing
// of the user's.
func Env(home string) []string {
	env := []string{"HOME=" + home, "GOTOOLCHAIN=local", "GOWORK=off", "GOENV=off", "CGO_ENABLED=0",
		"GOFLAGS=-buildvcs=false", "GOCACHE=" + home + "/cache", "GO111MODULE=on", "EMPIRE_CACHE=off"}
	for _, name := range []string{"PATH", "GOROOT", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY",
		"GOPRIVATE", "GOMAXPROCS", "GOMEMLIMIT", "GOGC", "TMPDIR", "SystemRoot", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
