// Command suites runs the tests of public modules plain, with the race detector and under "empire-go test", each
// twice, and prints of the second time how they end and the processor time of all that the command starts.
//
//	go run ./dynamic/testdata/suites [-timeout 10m] [MODULE@VERSION...]
//
// The modules are downloaded by the go command, and copied.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

var (
	timeout = flag.Duration("timeout", 10*time.Minute, "how long a command may take")
	keep    = flag.String("keep", "", "keep the copies, and what the commands print, in this directory")
)

// modules are those whose tests are run if none are named: libraries with goroutines in their tests.
var modules = []string{
	"github.com/hashicorp/golang-lru/v2@v2.0.7", "github.com/patrickmn/go-cache@v2.1.0+incompatible",
	"github.com/orcaman/concurrent-map/v2@v2.0.1", "github.com/deckarep/golang-set/v2@v2.9.0",
	"github.com/golang/groupcache@v0.0.0-20241129210726-2c02b8208cf8", "github.com/sourcegraph/conc@v0.3.0",
	"github.com/gammazero/workerpool@v1.3.0", "github.com/sony/gobreaker/v2@v2.4.0", "github.com/bluele/gcache@v0.0.2",
	"github.com/muesli/cache2go@v0.0.0-20221011235721-518229cd8021", "github.com/jackc/puddle/v2@v2.2.3",
	"github.com/eapache/queue@v1.1.0", "github.com/gammazero/deque@v1.0.0", "github.com/juju/ratelimit@v1.0.2",
	"github.com/allegro/bigcache/v3@v3.1.0",
}

func main() {
	flag.Parse()
	if flag.NArg() > 0 {
		modules = flag.Args()
	}
	work := *keep
	if work == "" {
		var err error
		work, err = os.MkdirTemp("", "suites")
		check(err)
		defer os.RemoveAll(work)
	}
	check(os.MkdirAll(work, 0o700))
	tool := filepath.Join(work, "empire-go")
	if r := run(".", nil, "go", "build", "-o", tool, "./cmd/empire-go"); r.status != 0 {
		check(fmt.Errorf("the command does not build: %s", r.text))
	}
	fmt.Println("module                                    plain        -race    empire-go   (status, CPU seconds)")
	for _, m := range modules {
		dir, err := fetch(work, m)
		if err != nil {
			fmt.Printf("%-38s %v\n", m, err)
			continue
		}
		fmt.Printf("%-38s", strings.TrimPrefix(m, "github.com/"))
		for _, args := range [][]string{{"go", "test", "-count=1", "./..."}, {"go", "test", "-race", "-count=1", "./..."}, {tool, "test", "./..."}} {
			run(dir, nil, args...) // what is compiled or found out is kept
			log, err := os.Create(dir + "." + filepath.Base(args[0]) + "-" + strings.Trim(args[2], "-./") + ".txt")
			check(err)
			r := run(dir, log, args...)
			log.Close()
			fmt.Printf(" %s %9.2f", r.ending(), r.cpu)
		}
		fmt.Println()
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "suites:", err)
		os.Exit(1)
	}
}

var unsafeName = regexp.MustCompile(`[^a-zA-Z0-9.-]+`)

// fetch copies a module that can be changed.
func fetch(work, module string) (string, error) {
	r := run(".", nil, "go", "mod", "download", "-json", module)
	var found struct{ Dir, Path, Error string }
	if json.Unmarshal(r.out, &found); found.Dir == "" {
		return "", fmt.Errorf("cannot be downloaded: %s%s", found.Error, r.text)
	}
	dir := filepath.Join(work, unsafeName.ReplaceAllString(module, "_"))
	os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(found.Dir)); err != nil {
		return "", err
	}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(path, 0o755)
	}); err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if r := run(dir, nil, "go", "mod", "init", found.Path); r.status != 0 {
			return "", fmt.Errorf("cannot be made a module: %s", r.text)
		}
	}
	run(dir, nil, "go", "mod", "tidy")
	return dir, nil
}

// result is how a command has ended.
type result struct {
	status   int
	late     bool
	cpu      float64 // seconds, of it and of what it has started
	out      []byte
	text     string // the last line that it has written on standard error
	duration time.Duration
}

func (r result) ending() string {
	if r.late {
		return "late"
	}
	return fmt.Sprintf("%4d", r.status)
}

func run(dir string, log io.Writer, args ...string) result {
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what it has started ends with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if log != nil {
		cmd.Stdout, cmd.Stderr = io.MultiWriter(log, &out), io.MultiWriter(log, &errs)
	}
	begin := time.Now()
	err := cmd.Run()
	r := result{late: ctx.Err() != nil, out: out.Bytes(), duration: time.Since(begin)}
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	r.text = lines[len(lines)-1]
	if cmd.ProcessState == nil {
		return result{status: -1, text: err.Error()}
	}
	r.status, r.cpu = cmd.ProcessState.ExitCode(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return r
}
