// Command suites runs the tests of public modules plain, with the race detector and under "empire-go test", each
// twice, and prints of the second time how they end and the processor time of all that the command starts.
//
//	go run ./dynamic/testdata/suites [-timeout 10m] [MODULE@VERSION...]
//
// The modules are downloaded by the go command, and copied.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/empire-go/empire-go/dynamic/testdata/suites/module"
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
	if r := module.Run(".", *timeout, nil, nil, "go", "build", "-o", tool, "./cmd/empire-go"); r.Status != 0 {
		check(fmt.Errorf("the command does not build: %s", r.Text))
	}
	fmt.Println("module                                    plain        -race    empire-go   (status, CPU seconds)")
	for _, m := range modules {
		dir, err := module.Fetch(work, m)
		if err != nil {
			fmt.Printf("%-38s %v\n", m, err)
			continue
		}
		fmt.Printf("%-38s", strings.TrimPrefix(m, "github.com/"))
		for _, args := range [][]string{{"go", "test", "-count=1", "./..."}, {"go", "test", "-race", "-count=1", "./..."}, {tool, "test", "./..."}} {
			module.Run(dir, *timeout, nil, nil, args...) // what is compiled or found out is kept
			log, err := os.Create(dir + "." + filepath.Base(args[0]) + "-" + strings.Trim(args[2], "-./") + ".txt")
			check(err)
			r := module.Run(dir, *timeout, nil, log, args...)
			log.Close()
			fmt.Printf(" %s %9.2f", r.Ending(), r.CPU)
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
