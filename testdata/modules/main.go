// Command modules checks every exported struct type with a mutex in a list of
// public modules, one process for each, and reports how they ended: it looks for
// panics, wrong exit statuses and runs past their limits, not for bugs in the
// modules. See README.md.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	list    = flag.String("list", "testdata/modules/modules.txt", "the `file` with the modules, as path@version")
	only    = flag.String("run", "", "only modules that match the `pattern`")
	most    = flag.Int("types", 0, "at most so many types of each module; 0 for all")
	skip    = flag.Int("skip", 0, "leave out the first so many types of each module")
	dir     = flag.String("dir", filepath.Join(os.TempDir(), "empire-go-modules"), "the `folder` for copies of the modules, and for results")
	timeout = flag.Duration("timeout", 10*time.Second, "for each query")
	memory  = flag.String("memory", "2GiB", "for each query")
	kill    = flag.Duration("kill", 4*time.Minute, "after which a run is killed: loading, and all its queries")
)

// An outcome is how the check of one type ended.
type outcome struct {
	Module, Type string
	Status       int
	Verdict      string
	Queries      []query
	Seconds      float64
	PeakMiB      float64 // of the process
	Milliseconds map[string]float64
	Problem      string // empty if all is as it should be
	Message      string // of a run that refused
	Command      string
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	chosen, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	if *dir, err = filepath.Abs(*dir); err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		log.Fatal(err)
	}
	tool := filepath.Join(*dir, "empire-go")
	if text, err := exec.Command("go", "build", "-o", tool, "./cmd/empire-go").CombinedOutput(); err != nil {
		log.Fatalf("run this in the root of the module: %s", text)
	}
	modules, err := readList(*list)
	if err != nil {
		log.Fatal(err)
	}
	results, err := os.Create(filepath.Join(*dir, "results.jsonl"))
	if err != nil {
		log.Fatal(err)
	}
	defer results.Close()
	var all []outcome
	for _, module := range modules {
		if !chosen.MatchString(module) {
			continue
		}
		scratch, err := newScratch(filepath.Join(*dir, strings.NewReplacer("/", "_", "@", "_").Replace(module)), module)
		if err != nil {
			log.Printf("%s: %v", module, err)
			continue
		}
		for i, target := range scratch.targets {
			if i < *skip || *most > 0 && i >= *skip+*most {
				continue
			}
			o := check(tool, scratch, target)
			o.Module = module
			all = append(all, o)
			line, _ := json.Marshal(o)
			fmt.Fprintf(results, "%s\n", line)
			log.Printf("%s: exit %d %s, %d queries, %.1f s, %.0f MiB %s%s", o.Type, o.Status, o.Verdict, len(o.Queries), o.Seconds, o.PeakMiB, o.Message, o.Problem)
		}
	}
	summarize(all)
}

// readList reads modules, one on a line.
func readList(name string) ([]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var modules []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if line := strings.TrimSpace(lines.Text()); line != "" && line[0] != '#' {
			modules = append(modules, line)
		}
	}
	return modules, nil
}

// summarize prints how many ended how, and why what is unknown is so.
func summarize(all []outcome) {
	modules, verdicts, reasons := map[string]bool{}, map[string]int{}, map[string]int{}
	queries := 0
	var problems []outcome
	for _, o := range all {
		modules[o.Module] = true
		verdicts[o.Verdict]++
		queries += len(o.Queries)
		for _, q := range o.Queries {
			if q.Verdict == "unknown" {
				reasons[q.Reason]++
			}
		}
		if o.Status == 2 {
			reasons["refused: "+o.Message]++
		}
		if o.Problem != "" {
			problems = append(problems, o)
		}
	}
	fmt.Printf("%d modules, %d types: %d safe, %d violation, %d unknown, %d refused; %d problems\n",
		len(modules), len(all), verdicts["safe"], verdicts["violation"], verdicts["unknown"], verdicts[""], len(problems))
	fmt.Printf("%d queries; not answered:\n", queries)
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Printf("%6d %s\n", reasons[reason], reason)
	}
	for _, o := range problems {
		fmt.Printf("%s: %s\n\t%s\n", o.Type, o.Problem, o.Command)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}
