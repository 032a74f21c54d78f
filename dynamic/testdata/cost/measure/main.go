// Command measure runs small programs plain, with the race detector and instrumented,
// and prints what that costs: processor time of the program and of the process that matches the
// patterns while it runs, and the peak of their memory.
//
//	go run ./dynamic/testdata/cost/measure
//	go run ./dynamic/testdata/cost/measure -races
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"sort"
	"strings"
	"syscall"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic"
	"github.com/empire-go/empire-go/dynamic/record"
	"github.com/empire-go/empire-go/dynamic/trace"
)

var (
	runs  = flag.Int("runs", 5, "how often each is run; the median counts")
	only  = flag.String("only", "", "workloads, with commas between them")
	child = flag.String("child", "", "run this program instrumented, with the header in the file beside it")
	into  = flag.String("build", "", "build the workload into this directory")
	races = flag.Bool("races", false, "find the data races of the run, too")
	alone = flag.Bool("alone", false, "find the data races of the run, and nothing else")
	prof  = flag.String("profile", "", "with -child: write a profile of the matching into this file")
)

var workloads = []string{"mapmutex", "pipeline", "cache", "mergesort", "handler", "shards", "skiplist", "stages", "segments",
	"accounts", "orders", "words", "stealing", "broker", "pieces", "tables",
	"routes", "sessions", "leases", "jobs", "grid", "index", "versions"}

func main() {
	flag.Parse()
	switch {
	case *child != "":
		if *prof != "" {
			file, err := os.Create(*prof)
			check(err)
			check(pprof.StartCPUProfile(file))
			defer pprof.StopCPUProfile()
		}
		check(runInstrumented(*child))
		return
	case *into != "":
		build(*into, *only)
		return
	}
	work, err := os.MkdirTemp("", "cost")
	check(err)
	defer os.RemoveAll(work)
	fmt.Println("workload     plain CPU s      -race  instrumented     of it: program  matching  events    plain MiB  -race  program  matching")
	race, ours, raceMemory, ourMemory := 0.0, 0.0, 0.0, 0.0
	n := 0.0
	for _, name := range workloads {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), name) {
			continue
		}
		// In a process of its own: the peak of a process counts for those that it starts.
		command(os.Args[0], "-build", work, "-only", name, fmt.Sprintf("-races=%t", *races), fmt.Sprintf("-alone=%t", *alone))
		plain, raced, hooked := files(work, name)
		p, r := median(func() cost { return execute(plain) }), median(func() cost { return execute(raced) })
		h := median(func() cost {
			return execute(os.Args[0], "-child", hooked, fmt.Sprintf("-races=%t", *races),
				fmt.Sprintf("-alone=%t", *alone))
		})
		fmt.Printf("%-12s %11.2f %9.2fx %12.2fx %18.2fx %8.2fx %7.1fM %11.0f %6.0f %8.0f %9.0f\n", name, p.cpu,
			r.cpu/p.cpu, h.cpu/p.cpu, (h.cpu-h.matching)/p.cpu, h.matching/p.cpu, h.events/1e6, p.memory, r.memory, h.memory, h.matchingMemory)
		race += math.Log(r.cpu / p.cpu)
		ours += math.Log(h.cpu / p.cpu)
		raceMemory += math.Log(r.memory / p.memory)
		ourMemory += math.Log((h.memory + h.matchingMemory) / p.memory)
		n++
	}
	fmt.Printf("\ngeometric mean of processor time: -race %.2f, instrumented %.2f\n", math.Exp(race/n), math.Exp(ours/n))
	fmt.Printf("geometric mean of peak memory:    -race %.2f, instrumented (program and matching) %.2f\n", math.Exp(raceMemory/n), math.Exp(ourMemory/n))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func files(work, name string) (plain, raced, hooked string) {
	return filepath.Join(work, name), filepath.Join(work, name+".race"), filepath.Join(work, name+".hooked")
}

// build builds a workload in three ways.
func build(work, name string) {
	dir := "./dynamic/testdata/cost/" + name
	plain, raced, hooked := files(work, name)
	command("go", "build", "-o", plain, dir)
	command("go", "build", "-race", "-o", raced, dir)
	ctx := context.Background()
	if *alone {
		program, err := record.Plain(record.Build{Dir: ".", Packages: []string{dir}, Races: true})
		check(err)
		defer program.Close()
		file, err := program.Main(ctx)
		check(err)
		check(os.Rename(file, hooked))
		check(os.WriteFile(hooked+".json", []byte("{}"), 0o600))
		return
	}
	request := empire.Request{Packages: []string{dir}}
	session, err := empire.Open(ctx, request)
	check(err)
	plan, err := session.Watch(ctx, request)
	check(err)
	program, err := record.Make(ctx, record.Build{Dir: ".", Packages: []string{dir}, Plan: plan, Races: *races})
	check(err)
	defer program.Close()
	file, err := program.Main(ctx)
	check(err)
	check(os.Rename(file, hooked))
	text, err := json.Marshal(program.Header)
	check(err)
	check(os.WriteFile(hooked+".json", text, 0o600))
}

func command(name string, args ...string) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	check(cmd.Run())
}

// cost is what a run costs: seconds and MiB. The first two are totals.
type cost struct {
	cpu, memory              float64
	matching, matchingMemory float64
	events                   float64
}

// execute runs a command and measures it, with the processes that it has waited for.
func execute(name string, args ...string) cost {
	cmd := exec.Command(name, args...)
	out, err := cmd.Output()
	if err != nil {
		check(fmt.Errorf("%s: %w", name, err))
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c := cost{cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), memory: float64(usage.Maxrss) / 1024}
	if len(args) > 0 {
		var inner struct{ CPU, Memory, MatchingMemory, Events float64 }
		check(json.Unmarshal(out, &inner))
		c.matching, c.memory, c.matchingMemory, c.events = c.cpu-inner.CPU, inner.Memory, inner.MatchingMemory, inner.Events
	}
	return c
}

// median runs something several times; the run with the median time counts.
func median(run func() cost) cost {
	var all []cost
	for range *runs {
		all = append(all, run())
	}
	sort.Slice(all, func(i, j int) bool { return all[i].cpu < all[j].cpu })
	return all[len(all)/2]
}

// runInstrumented runs a program and matches what it does.
func runInstrumented(file string) error {
	text, err := os.ReadFile(file + ".json")
	if err != nil {
		return err
	}
	var h trace.Header
	if err := json.Unmarshal(text, &h); err != nil {
		return err
	}
	run := record.Run{File: file, Stderr: os.Stderr}
	if *races || *alone {
		run.Races = file + ".races"
		if err := os.WriteFile(run.Races, nil, 0o600); err != nil {
			return err
		}
	}
	if *alone {
		if _, err := run.Plain(context.Background()); err != nil {
			return err
		}
		return tell(0)
	}
	if run.Reduction, err = dynamic.Reduction(&h); err != nil {
		return err
	}
	var report *dynamic.Report
	program := &record.Program{Header: h}
	outcome, err := program.Record(context.Background(), run, func(in io.Reader) error {
		var err error
		report, err = dynamic.Check(context.Background(), in, dynamic.Options{})
		return err
	})
	if err != nil {
		return err
	}
	if outcome.Text != "" || !report.Stats.IsWhole() {
		return fmt.Errorf("%s: %s; %+v", file, outcome.Text, report.Stats)
	}
	return tell(report.Stats.Events)
}

// tell prints what this process and its child have cost.
func tell(events uint64) error {
	var self, children syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &self)
	syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
	cpu := time.Duration(children.Utime.Nano() + children.Stime.Nano()).Seconds()
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{
		"CPU": cpu, "Memory": float64(children.Maxrss) / 1024, "MatchingMemory": float64(self.Maxrss) / 1024, "Events": float64(events),
	})
}
