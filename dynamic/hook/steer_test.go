package hook

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// bench is a program that is instrumented by hand.
type bench struct {
	s     *controller
	trace []string
}

func (b *bench) start(site uint32, f func(w *worker)) {
	w := b.s.announce(site)
	go func() {
		b.s.start(w)
		defer b.s.leave(w)
		f(w)
	}()
}

func (b *bench) access(w *worker, site, object uint32, what string) {
	b.s.park(w, steerPoint{site: site, object: object})
	b.trace = append(b.trace, what)
}

func (b *bench) lock(w *worker, mu *sync.Mutex) {
	b.s.park(w, steerPoint{site: 1, try: mu.TryLock})
}

// steered runs the program under the script.
func steered(t *testing.T, text string, main func(b *bench, w *worker)) (trace, log string) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	dir := t.TempDir()
	file, logFile := filepath.Join(dir, "script"), filepath.Join(dir, "log")
	if err := os.WriteFile(file, []byte(text+"\nlog "+logFile), 0o644); err != nil {
		t.Fatal(err)
	}
	script, err := readScript(file)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{s: newController(script)}
	done := make(chan bool)
	go func() {
		w := b.s.adopt()
		w.gid = mainGoroutine
		main(b, w)
		b.s.leave(w)
		close(done)
	}()
	go b.s.monitor()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the run hangs")
	}
	b.s.finish("exit")
	written, err := os.ReadFile(logFile)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(b.trace, " "), string(written)
}

// account is a program with a lost update: two goroutines read and write under a lock each.
func account(b *bench, w *worker) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i, name := range []string{"a", "b"} {
		wg.Add(1)
		b.start(uint32(10+i), func(w *worker) {
			defer wg.Done()
			b.s.open(w, 20)
			b.lock(w, &mu)
			b.access(w, 21, 1, name+":R")
			b.s.park(w, steerPoint{site: 1})
			mu.Unlock()
			b.lock(w, &mu)
			b.access(w, 22, 1, name+":W")
			b.s.park(w, steerPoint{site: 1})
			mu.Unlock()
			b.s.close(w)
		})
	}
	b.s.park(w, steerPoint{op: 99, mayBlock: true})
	wg.Wait()
	b.s.park(w, steerPoint{op: 98})
}

const accountScript = "mode follow\nunit 0 20\nunit 1 20\nevent 0 1 21\nevent 1 1 22\nevent 0 1 22\n"

func TestFollow(t *testing.T) {
	for _, test := range []struct{ origins, want string }{
		{"origin 0 10\norigin 1 11", "a:R b:R b:W a:W"},
		{"origin 0 11\norigin 1 10", "b:R a:R a:W b:W"},
	} {
		if got, log := steered(t, accountScript+test.origins, account); got != test.want || !strings.Contains(log, "+3 ") {
			t.Errorf("%s: got %s, want %s\n%s", test.origins, got, test.want, log)
		}
	}
}

func TestReplay(t *testing.T) {
	want, log := steered(t, accountScript+"origin 0 11\norigin 1 10", account)
	var choices []string
	for word := range strings.FieldsSeq(log) {
		if strings.Contains(word, ":") {
			choices = append(choices, word)
		}
	}
	for range 100 {
		got, again := steered(t, "mode replay\nchoices "+strings.Join(choices, " "), account)
		if got != want || digest(again) != digest(log) {
			t.Fatalf("got %s, want %s\n%s\n%s", got, want, again, log)
		}
	}
}

func digest(log string) string { return log[strings.Index(log, "digest="):] }

// TestBlocked has goroutines that wait for each other in the runtime.
func TestBlocked(t *testing.T) {
	ping := func(b *bench, w *worker) {
		c, d := make(chan int), make(chan int)
		b.start(10, func(w *worker) {
			for range 3 {
				<-c
				b.access(w, 2, 1, "g")
				d <- 1
			}
		})
		for range 3 {
			b.access(w, 3, 1, "m")
			c <- 1
			<-d
		}
	}
	if got, _ := steered(t, "mode random\nseed 4", ping); got != "m g m g m g" {
		t.Errorf("got %s", got)
	}
}
