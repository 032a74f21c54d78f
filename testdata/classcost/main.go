// Command classcost measures what looking for deadlocks, blocked goroutines and the like costs beside what check looks
// for without being asked: the seconds of the processor of "empire-go check" and of "empire-go check --class all" on
// programs of testdata and on modules, with no answers kept.
//
//	go run ./testdata/classcost [-timeout 10m] [MODULE@VERSION...]
//
// The go command downloads the modules, and has compiled what they need before.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/empire-go/empire-go/dynamic/testdata/suites/module"
)

var timeout = flag.Duration("timeout", 10*time.Minute, "how long a command may take")

// programs have atomic sets and synchronisation of several kinds.
var programs = []string{"channel_pipeline", "channel_pool", "channel_results", "cond_queue", "http_handler", "library_cond",
	"library_queue", "session_registry", "worker_channels", "semaphore_pool"}

// modules are those that are checked if none are named.
var modules = []string{"github.com/patrickmn/go-cache@v2.1.0+incompatible", "github.com/jackc/puddle/v2@v2.2.3",
	"github.com/sourcegraph/conc@v0.3.0"}

func main() {
	flag.Parse()
	work, err := os.MkdirTemp("", "classcost")
	check(err)
	defer os.RemoveAll(work)
	tool := filepath.Join(work, "empire-go")
	if r := module.Run(".", *timeout, nil, nil, "go", "build", "-o", tool, "./cmd/empire-go"); r.Status != 0 {
		check(fmt.Errorf("empire-go does not build: %s", r.Text))
	}
	fmt.Println("                                      check  check --class all  ratio")
	t := &table{tool: tool}
	if flag.NArg() > 0 {
		modules = flag.Args()
	} else {
		for _, p := range programs {
			if _, err := os.Stat("testdata/" + p); err == nil {
				t.row("testdata/"+p, ".", "./testdata/"+p)
			}
		}
	}
	for _, m := range modules {
		dir, err := module.Fetch(work, m)
		if err == nil {
			if r := module.Run(dir, *timeout, nil, nil, "go", "list", "-export", "-deps", "./..."); r.Status != 0 {
				err = fmt.Errorf("does not build: %s", r.Text)
			}
		}
		if err != nil {
			fmt.Printf("%-36s %v\n", m, err)
			continue
		}
		t.row(strings.TrimPrefix(m, "github.com/"), dir, "./...")
	}
	if t.n > 0 {
		fmt.Printf("%-62s %6.2f\n", "geometric mean", math.Exp(t.logs/t.n))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "classcost:", err)
		os.Exit(1)
	}
}

// table prints rows.
type table struct {
	tool    string
	logs, n float64 // of ratios
}

// row measures the packages of one directory.
func (t *table) row(name, dir, packages string) {
	var costs [2]float64
	for i, args := range [][]string{{"check", "--no-cache", packages}, {"check", "--no-cache", "--class", "all", packages}} {
		r := module.Run(dir, *timeout, nil, nil, append([]string{t.tool}, args...)...)
		if r.Late || r.Status != 0 && r.Status != 1 && r.Status != 3 {
			fmt.Printf("%-36s %s: %s %s\n", name, strings.Join(args, " "), r.Ending(), r.Text)
			return
		}
		costs[i] = r.CPU
	}
	ratio := costs[1] / costs[0]
	fmt.Printf("%-36s %6.2f %18.2f %6.2f\n", name, costs[0], costs[1], ratio)
	t.logs, t.n = t.logs+math.Log(ratio), t.n+1
}
