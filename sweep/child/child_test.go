package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
)

// howVariable makes this program a child; its value says how it goes wrong when it is asked about something.
const howVariable = "EMPIRE_TEST_CHILD"

func TestMain(m *testing.M) {
	how := os.Getenv(howVariable)
	if how == "" {
		os.Exit(m.Run())
	}
	if err := Run(context.Background(), &faulty{how}, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type faulty struct{ how string }

func (f *faulty) Read(p []byte) (int, error) {
	n, err := os.Stdin.Read(p)
	if !bytes.Contains(p[:n], []byte(`"Ask"`)) && !bytes.Contains(p[:n], []byte(`"Check"`)) {
		return n, err
	}
	switch f.how {
	case "panic":
		go panic("nothing is well")
		select {}
	case "exit":
		fmt.Fprint(os.Stderr, "first\nlast words\n\n")
		os.Exit(7)
	case "nonsense":
		fmt.Println("nonsense")
		time.Sleep(time.Minute)
	case "hang":
		time.Sleep(time.Minute)
	case "memory":
		var all [][]byte
		for len(all) < 400 { // twice what it may have
			all = append(all, bytes.Repeat([]byte{1}, 1<<20))
		}
		time.Sleep(time.Minute)
		runtime.KeepAlive(all)
	}
	return n, err
}

// module writes a small module, and returns its directory.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "main.go": `package main

import "sync"

type Box struct {
	mu   sync.Mutex
	a, b int
}

func (x *Box) Set(n int) { x.mu.Lock(); defer x.mu.Unlock(); x.a, x.b = n, n }

func main() {
	x := &Box{}
	go x.Set(1)
	x.Set(2)
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func env(how string) []string { return append(os.Environ(), howVariable+"="+how) }

func self(t *testing.T) []string {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{exe}
}

// TestCrash: however a child ends, or is ended, it is said in one line.
func TestCrash(t *testing.T) {
	dir, request := module(t), empire.Request{Packages: []string{"."}}
	for how, want := range map[string]string{
		"panic": "panic: nothing is well", "exit": "last words", "nonsense": "its answer cannot be read: ",
		"hang": "it gave no answer within 1s", "memory": "more than the 200 MiB that a child may",
	} {
		t.Run(how, func(t *testing.T) {
			if how == "memory" && runtime.GOOS != "linux" {
				t.Skip("only there the memory of a child is known")
			}
			p, err := Start(t.Context(), self(t), env(how), dir, request)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Stop()
			p.memory = 200 << 20
			allowed := time.Minute
			if how == "hang" {
				allowed = time.Second
			}
			_, err = p.call(t.Context(), toChild{Ask: &sweep.Asked{}}, allowed)
			var crash *CrashError
			if !errors.As(err, &crash) || !strings.Contains(crash.Error(), want) || strings.Contains(crash.Error(), "\n") {
				t.Errorf("%v, want %s", err, want)
			}
			if isLimit := how == "hang" || how == "memory"; crash != nil && crash.IsLimit() != isLimit && how != "nonsense" {
				t.Errorf("a limit: %v", crash.IsLimit())
			}
		})
	}
}

// TestCheck carries out whole requests.
func TestCheck(t *testing.T) {
	dir := module(t)
	result, err := Check(t.Context(), self(t), env("well"), dir, empire.Request{Packages: []string{"."}}, time.Minute)
	if err != nil || len(result.Queries) != 1 || result.Verdict != empire.VerdictSafe {
		t.Errorf("%v, %+v", err, result)
	}
	_, err = Check(t.Context(), self(t), env("well"), dir, empire.Request{Packages: []string{"./none"}}, time.Minute)
	var crash *CrashError
	if err == nil || errors.As(err, &crash) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err = Check(ctx, self(t), env("hang"), dir, empire.Request{Packages: []string{"."}}, time.Minute)
	if !errors.Is(err, context.DeadlineExceeded) { // and not what it says when its minute is over
		t.Error(err)
	}
}

// TestOrphan: a child ends when who has started it does.
func TestOrphan(t *testing.T) {
	p, err := Start(t.Context(), self(t), env("well"), module(t), empire.Request{Packages: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	p.in.Close()
	ended := make(chan struct{})
	go func() {
		p.wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("it is still there")
		p.Stop()
	}
}

// TestEnv: nothing of the user's is handed on but what finds modules.
func TestEnv(t *testing.T) {
	t.Setenv("SECRET", "x")
	t.Setenv("GOFLAGS", "-toolexec=x")
	home := t.TempDir()
	all := strings.Join(Env(home), "\n")
	for _, bad := range []string{"SECRET", "toolexec"} {
		if strings.Contains(all, bad) {
			t.Errorf("%s is handed on", bad)
		}
	}
	for _, want := range []string{"HOME=" + home, "GOTOOLCHAIN=local", "GOWORK=off", "GOENV=off", "CGO_ENABLED=0"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not there", want)
		}
	}
}
