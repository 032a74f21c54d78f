// Command again measures what it costs to check a module for the first time, once more, after a comment and after an
// edit: "empire-go check ./..." beside "staticcheck ./...", each with a cache of its own that is empty at first. It prints
// the seconds of the processor of both.
//
//	go run ./testdata/again [-timeout 10m] [MODULE@VERSION...]
//
// The modules, and staticcheck, are downloaded by the go command. What that has compiled of a module's dependencies is
// there for both. A comment and a function are added to the first file of the module's first package.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/empire-go/empire-go/dynamic/testdata/suites/module"
)

const staticcheck = "honnef.co/go/tools/cmd/staticcheck@v0.8.2"

// unknown is the status of empire-go when something is neither safe nor violated.
const unknown = 3

var timeout = flag.Duration("timeout", 10*time.Minute, "how long a command may take")

// modules are those that are checked if none are named.
var modules = []string{
	"github.com/patrickmn/go-cache@v2.1.0+incompatible", "github.com/sourcegraph/conc@v0.3.0",
	"github.com/hashicorp/golang-lru/v2@v2.0.7", "github.com/jackc/puddle/v2@v2.2.3",
	"github.com/sony/gobreaker/v2@v2.4.0", "github.com/allegro/bigcache/v3@v3.1.0", "github.com/juju/ratelimit@v1.0.2",
}

func main() {
	flag.Parse()
	if flag.NArg() > 0 {
		modules = flag.Args()
	}
	work, err := os.MkdirTemp("", "again")
	check(err)
	defer os.RemoveAll(work)
	tool := filepath.Join(work, "empire-go")
	build(nil, "build", "-o", tool, "./cmd/empire-go")
	build([]string{"GOBIN=" + work}, "install", staticcheck)
	fmt.Println("                                        empire-go check ./...                staticcheck ./...")
	fmt.Println("module                                 first   again  comment   edit     first   again  comment   edit  " +
		"first, times staticcheck's")
	for _, m := range modules {
		dir, err := module.Fetch(work, m)
		if err == nil {
			err = compile(dir)
		}
		if err != nil {
			fmt.Printf("%-36s %v\n", m, err)
			continue
		}
		ours, err := measure(dir, "EMPIRE_CACHE="+dir+".answers", tool, "check", "./...")
		if err == nil {
			var theirs [4]float64
			theirs, err = measure(dir, "STATICCHECK_CACHE="+dir+".facts", filepath.Join(work, "staticcheck"), "./...")
			print(m, ours, theirs)
		}
		if err != nil {
			fmt.Printf("%-36s %v\n", m, err)
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "again:", err)
		os.Exit(1)
	}
}

func build(env []string, args ...string) {
	if r := module.Run(".", *timeout, env, nil, append([]string{"go"}, args...)...); r.Status != 0 {
		check(fmt.Errorf("%s does not build: %s", args[len(args)-1], r.Text))
	}
}

// compile lets the go command compile what a module and its tests need.
func compile(dir string) error {
	if r := module.Run(dir, *timeout, nil, nil, "go", "list", "-export", "-deps", "-test", "./..."); r.Status != 0 {
		return fmt.Errorf("does not build: %s", r.Text)
	}
	return nil
}

// measure runs a command on a module four times: at first, again, with a comment more and with a function more. It
// leaves the module as it was.
func measure(dir, cache string, args ...string) (cost [4]float64, err error) {
	file, err := firstFile(dir)
	if err != nil {
		return cost, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return cost, err
	}
	defer os.WriteFile(file, text, 0o644)
	for i, more := range []string{"", "", "\n// Once more.\n", "\nfunc onceMore() int { return 1 }\n"} {
		if err := os.WriteFile(file, append(text[:len(text):len(text)], more...), 0o644); err != nil {
			return cost, err
		}
		r := module.Run(dir, *timeout, []string{cache}, nil, args...)
		if r.Late || r.Status != 0 && r.Status != 1 && r.Status != unknown {
			return cost, fmt.Errorf("%s: %s %s", filepath.Base(args[0]), r.Ending(), r.Text)
		}
		cost[i] = r.CPU
	}
	return cost, nil
}

// firstFile is the first file of the first package of a module.
func firstFile(dir string) (string, error) {
	r := module.Run(dir, *timeout, nil, nil, "go", "list", "-json=Dir,GoFiles", "./...")
	var p struct {
		Dir     string
		GoFiles []string
	}
	for d := json.NewDecoder(strings.NewReader(string(r.Out))); len(p.GoFiles) == 0; {
		if err := d.Decode(&p); err != nil {
			return "", fmt.Errorf("has no files: %w", err)
		}
	}
	return filepath.Join(p.Dir, p.GoFiles[0]), nil
}

func print(name string, ours, theirs [4]float64) {
	fmt.Printf("%-36s", strings.TrimPrefix(name, "github.com/"))
	for _, costs := range [][4]float64{ours, theirs} {
		for _, c := range costs {
			fmt.Printf(" %7.2f", c)
		}
		fmt.Print("  ")
	}
	fmt.Printf(" %5.1f\n", ours[0]/theirs[0])
}
