package limit_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/checker/prefix"
	"github.com/empire-go/empire-go/checker/refine"
	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/limit"
	"github.com/empire-go/empire-go/scenarios"
)

// hopeless returns a program whose product has 13^n states: the writer waits for n
// goroutines, each of which goes through critical sections of three locks.
func hopeless(t *testing.T, n int) *esl.Program {
	var b strings.Builder
	b.WriteString("object w\nlocation w.a\n")
	for i := range n {
		fmt.Fprintf(&b, "lock m%d mutex\nflag f%d\n", i, i)
	}
	b.WriteString("process reader entry reader initial\nprocess writer entry writer initial\n")
	for i := range n {
		fmt.Fprintf(&b, "process p%d entry p%d initial\n", i, i)
	}
	b.WriteString("func reader\nunit-begin w \"R\"\nread w.a\nread w.a\nunit-end w\nend\nfunc writer\n")
	for i := range n {
		fmt.Fprintf(&b, "lock m%d\nunlock m%d\nawait f%d\n", i, i, i)
	}
	b.WriteString("unit-begin w \"W\"\nwrite w.a\nunit-end w\nend\n")
	for i := range n {
		fmt.Fprintf(&b, "func p%d\n%sset f%d\nend\n", i,
			strings.Repeat("lock m0\nunlock m0\nlock m1\nunlock m1\nlock m2\nunlock m2\n", 2), i)
	}
	p, err := esl.Parse("hopeless", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestLimitsAreKept checks a program that would take for ever, with little memory and with
// little time: the limits are passed by a tenth at most, and by a second. It does so in a
// process of its own: within the limit on memory, whatever other tests have loaded would be
// marked again and again.
func TestLimitsAreKept(t *testing.T) {
	if os.Getenv("EMPIRE_ALONE") == "" {
		alone := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLimitsAreKept$", "-test.v")
		alone.Env = append(os.Environ(), "EMPIRE_ALONE=1")
		text, err := alone.CombinedOutput()
		t.Logf("%s", text)
		if err != nil || !strings.Contains(string(text), "--- PASS: TestLimitsAreKept") {
			t.Error(err)
		}
		return
	}
	p := hopeless(t, 12)
	for _, c := range []struct {
		name   string
		time   time.Duration
		memory int64
		want   *limit.Bound
	}{
		{"memory", time.Minute, limit.InUse() + 200<<20, limit.ErrMemory},
		{"time", time.Second, 4 << 30, limit.ErrTime},
	} {
		for _, engine := range []string{"refine", "prefix"} {
			t.Run(c.name+"/"+engine, func(t *testing.T) {
				// Other tests run beside this one: a limit is kept if it is in one of three tries.
				var result *checker.Result
				for try := 1; ; try++ {
					found, took, most := limitedCheck(t, p, c.time, c.memory, engine, c.want)
					t.Logf("%v, %d MiB of %d", took, most>>20, c.memory>>20)
					result = found
					if took <= c.time+c.time/10+time.Second && most <= c.memory+c.memory/10 {
						break
					}
					if try == 3 {
						t.Errorf("took %v of %v, used %d MiB of %d", took, c.time, most>>20, c.memory>>20)
						break
					}
				}
				t.Logf("%+v %T", result.Work, result.Findings[1].Verdict)
				for _, f := range result.Findings {
					if _, safe := f.Verdict.(checker.Safe); safe && f.Scenario.Number == 2 {
						t.Error("scenario 2 is safe, want unknown")
					}
				}
			})
		}
	}
}

// engines is the decision procedures by name.
var engines = map[string]func() checker.Engine{
	"refine": func() checker.Engine { return refine.New() },
	"prefix": func() checker.Engine { return prefix.New() },
}

// limitedCheck checks the program within the limits, one of which is to be passed. It returns
// how long that took, and how much memory was in use at most.
func limitedCheck(t *testing.T, p *esl.Program, timeout time.Duration, memory int64, engine string, want *limit.Bound) (
	result *checker.Result, took time.Duration, most int64) {
	t.Helper()
	debug.FreeOSMemory()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	ctx, stop := limit.ForQuery(t.Context(), timeout, memory)
	defer stop()
	peak, begin := make(chan int64), time.Now()
	done, end := context.WithCancel(context.Background())
	go func() {
		most := int64(0)
		for done.Err() == nil {
			most = max(most, limit.InUse())
			time.Sleep(time.Millisecond)
		}
		peak <- most
	}()
	result, err := checker.Check(ctx, p, checker.Options{Scenarios: scenarios.Table, Engine: engines[engine]()})
	took = time.Since(begin)
	end()
	most = <-peak
	if err != nil {
		t.Fatal(err)
	}
	if limit.Passed(ctx) != want {
		t.Fatalf("passed %v, want %v", limit.Passed(ctx), want)
	}
	return result, took, most
}
