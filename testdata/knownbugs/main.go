// Command knownbugs checks bugs of public libraries that their issue trackers tell of: the version
// that has the bug, and the one in which it is mended. It prints a table:
//
//	go run ./testdata/knownbugs            # all rows of knownbugs.yaml
//	go run ./testdata/knownbugs ring clock # those whose names contain "ring" or "clock"
//
// Modules come from the Go module proxy. What was answered is kept below -dir, and not asked again by the same
// empire-go. A bug is told apart if harm, or a data race that counts, is reported for the functions that were mended
// in the old version, and not in the new one, where every scenario is decided.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"go.yaml.in/yaml/v3"

	empire "github.com/empire-go/empire-go"
)

// bug is a row of knownbugs.yaml.
type bug struct {
	Name    string
	Module  string
	Issue   string // where the bug is told of
	Wrong   string // what goes wrong, in a sentence
	Bug     string // "data race": only races count, the units may be not atomic in the new version, too
	Old     string // the version with the bug; if empty, Patch undoes the mending in the new one
	New     string // the version in which it is mended; if empty, Patch mends the old one
	Patch   string // a file beside knownbugs.yaml
	Package string
	Flags   []string
	Type    string   // what is to be checked; empty for package variables
	Units   []string // the functions that were mended, as Type.Method or Func
	Tuned   string   // what of the checker was mended because of this row; empty if nothing was
	Note    string   // why the row is not told apart
}

var (
	dir   = flag.String("dir", filepath.Join(os.TempDir(), "empire-knownbugs"), "where modules and answers are kept")
	limit = flag.Duration("limit", 4*time.Minute, "time for each version")
	tool  = flag.String("tool", "", "the empire-go to run, if not the one of this module")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	text, err := os.ReadFile("testdata/knownbugs/knownbugs.yaml")
	if err != nil {
		log.Fatal("run this in the module root: ", err)
	}
	var bugs []bug
	if err := yaml.Unmarshal(text, &bugs); err != nil {
		log.Fatal("knownbugs.yaml: ", err)
	}
	check, err := newChecker()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("| bug | old version | new version | told apart | tuned on | seconds |")
	fmt.Println("|---|---|---|---|---|---|")
	asked, apart, plain := 0, 0, 0
	yes := map[bool]string{true: "yes", false: "no"}
	for _, b := range bugs {
		isAsked := func(part string) bool { return strings.Contains(b.Name, part) }
		if flag.NArg() > 0 && !slices.ContainsFunc(flag.Args(), isAsked) {
			continue
		}
		older, oldTime := check.version(b, "old")
		newer, newTime := check.version(b, "new")
		asked++
		isApart := isHarmful(older) && isClear(newer)
		if isApart {
			apart++
			if len(b.Flags) == 0 {
				plain++
			}
		}
		fmt.Printf("| %s | %s | %s | %s | %s | %.0f + %.0f |\n", b.Name, older, newer,
			yes[isApart], yes[b.Tuned != ""], oldTime, newTime)
	}
	fmt.Printf("\n%d bugs, %d told apart, %d of them with no flags\n", asked, apart, plain)
}

// The verdicts on a version, the worst first.
const (
	seen      = "harm seen"
	possible  = "harm possible"
	race      = "data race"
	unclear   = "harm unknown"
	undecided = "unknown"
	none      = "no harm"
	safe      = "safe"
	absent    = "not checked"
)

func isHarmful(verdict string) bool { return verdict == seen || verdict == possible || verdict == race }
func isClear(verdict string) bool   { return verdict == unclear || verdict == none || verdict == safe }

// checker runs one empire-go.
type checker struct {
	binary  string
	answers string // the folder of what it has answered
}

func newChecker() (*checker, error) {
	if err := os.MkdirAll(*dir, 0o755); err != nil {
		return nil, err
	}
	binary := *tool
	if binary == "" {
		binary = filepath.Join(*dir, "empire-go")
		build := exec.Command("go", "build", "-trimpath", "-o", binary, "./cmd/empire-go")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go build: %w: %s", err, out)
		}
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	answers := filepath.Join(*dir, fmt.Sprintf("answers-%.6x", sha256.Sum256(text)))
	return &checker{binary, answers}, os.MkdirAll(answers, 0o755)
}

// answer is what is kept of a version.
type answer struct {
	Asked   string // what it answers
	Seconds float64
	Err     string
	Result  *empire.Result
}

// version returns the verdict on the units of b in its old or new version, and the seconds that it took.
func (c *checker) version(b bug, which string) (string, float64) {
	file := filepath.Join(c.answers, b.Name+"."+which+".json")
	asked := fmt.Sprint(b.Module, b.Old, b.New, b.Patch, b.Package, b.Flags, *limit)
	var a answer
	if text, err := os.ReadFile(file); err != nil || json.Unmarshal(text, &a) != nil || a.Asked != asked {
		start := time.Now()
		a = answer{Asked: asked}
		if a.Result, err = c.check(b, which); err != nil {
			a.Err = err.Error()
		}
		a.Seconds = time.Since(start).Seconds()
		text, err := json.Marshal(a)
		if err = errors.Join(err, os.WriteFile(file, text, 0o644)); err != nil {
			log.Fatal(err)
		}
	}
	if a.Err != "" {
		return "error: " + strings.Join(strings.Fields(a.Err), " "), a.Seconds
	}
	return verdict(b, a.Result), a.Seconds
}

func (c *checker) check(b bug, which string) (*empire.Result, error) {
	folder, err := checkout(b, which)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	args := append([]string{"check", "--format", "json"}, b.Flags...)
	run := exec.CommandContext(ctx, c.binary, append(args, b.Package)...)
	run.Dir, run.Env = folder, environment
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGINT) } // it prints what is done
	run.WaitDelay = 30 * time.Second
	var out, problem bytes.Buffer
	run.Stdout, run.Stderr = &out, &problem
	err = run.Run()
	var result empire.Result
	if json.Unmarshal(out.Bytes(), &result) == nil {
		return &result, nil
	}
	return nil, fmt.Errorf("%w: %.300s", err, problem.Bytes())
}

// checkout returns a folder with the version, ready to be loaded.
func checkout(b bug, which string) (string, error) {
	version := map[string]string{"old": b.Old, "new": b.New}[which]
	patched := version == ""
	if patched {
		version = b.Old + b.New // one of them
	}
	out, err := command("", "go", "mod", "download", "-json", b.Module+"@"+version)
	var module struct{ Dir, Error string }
	if json.Unmarshal(out, &module) != nil || module.Dir == "" {
		return "", fmt.Errorf("download: %w: %s", err, module.Error)
	}
	folder := filepath.Join(*dir, "modules", b.Name+"."+which)
	if err := errors.Join(os.RemoveAll(folder), os.CopyFS(folder, os.DirFS(module.Dir))); err != nil {
		return "", err
	}
	if out, err := command("", "chmod", "-R", "u+w", folder); err != nil { // the module cache is read only
		return "", fmt.Errorf("chmod: %w: %s", err, out)
	}
	if patched {
		patch, err := filepath.Abs(filepath.Join("testdata/knownbugs", b.Patch))
		if err != nil {
			return "", err
		}
		if out, err := command(folder, "git", "apply", patch); err != nil {
			return "", fmt.Errorf("%s: %w: %s", b.Patch, err, out)
		}
	}
	// Modules from before there were modules have no go.mod, and requirements that are gone are left
	// to the go command.
	if _, err := command(folder, "go", "list", "-deps", b.Package); err != nil {
		text := []byte("module " + b.Module + "\n\ngo 1.20\n")
		if err := os.WriteFile(filepath.Join(folder, "go.mod"), text, 0o644); err != nil {
			return "", err
		}
		if out, err := command(folder, "go", "list", "-deps", b.Package); err != nil {
			return "", fmt.Errorf("go list: %w: %.300s", err, out)
		}
	}
	return folder, nil
}

var environment = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off")

func command(dir, name string, args ...string) ([]byte, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, environment
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) && len(out) == 0 {
		out = failed.Stderr
	}
	return out, err
}

// verdict returns the worst that the result says of the units of b.
func verdict(b bug, r *empire.Result) string {
	order := []string{seen, possible, race, unclear, undecided, none, safe, absent}
	worst := len(order) - 1
	say := func(v string) { worst = min(worst, slices.Index(order, v)) }
	for _, q := range r.Queries {
		mine := b.Type == "" || named(q.Type, []string{b.Type})
		switch {
		case mine && q.Verdict == empire.VerdictSafe:
			say(safe)
		case mine && (q.Verdict == empire.VerdictUnknown || len(q.Scenarios) == 0):
			say(undecided)
		case mine:
			say(none) // of what is violated, nothing is about these units unless it follows
		}
		for _, x := range q.Races {
			if x.Level == "error" && slices.ContainsFunc(x.Accesses, func(s empire.Step) bool { return within(s, b.Units) }) {
				say(race)
			}
		}
		for _, s := range q.Scenarios {
			if s.Verdict == empire.VerdictUnknown && mine {
				say(undecided)
			}
			for _, v := range append([]empire.ScenarioResult{s}, s.Others...) {
				about := func(u string) bool { return named(u, b.Units) }
				switch {
				case v.Verdict != empire.VerdictViolation || b.Bug == "data race" || !slices.ContainsFunc(v.Units, about):
				case v.Harm == nil:
					say(unclear)
				default:
					say(map[string]string{empire.HarmSeen: seen, empire.HarmPossible: possible, empire.HarmUnknown: unclear,
						empire.HarmNone: none}[v.Harm.Status])
				}
			}
		}
	}
	return order[worst]
}

// within says that the step is done by one of the functions, or by what they call.
func within(s empire.Step, functions []string) bool {
	return named(s.Function, functions) || slices.ContainsFunc(s.Stack, func(call string) bool {
		function, _, _ := strings.Cut(call, " ")
		return named(function, functions)
	})
}

var typeArguments = regexp.MustCompile(`\[[^\]]*\]`)

// named says that the name of a function or type, such as (*example.com/p.T[int]).M, is one of those, such as T.M.
func named(name string, short []string) bool {
	name = strings.NewReplacer("(", "", "*", "", ")", "").Replace(typeArguments.ReplaceAllString(name, ""))
	name, _, _ = strings.Cut(name, "$") // a function literal in it
	return slices.ContainsFunc(short, func(s string) bool { return strings.HasSuffix(name, "."+s) })
}
