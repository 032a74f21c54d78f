package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output that the scripts compare with cmp")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"empire-go": main})
}

// TestScript runs testdata/script/*.txtar. Besides the commands of testscript they
// have
//
//	status N command...    run the command, which must exit with status N
//	oneline TEXT...        standard error is the one line "empire-go: TEXT"
//	oneline_matches RE     standard error is one line "empire-go: ..." that matches
//
// and the conditions [long], that EMPIRE_LONG is set, which runs programs in more layouts and builds the command as a
// tool, and
// [modules]: all modules that this one names are there or can be had, also
// those that its own tests on this system need nothing of.
func TestScript(t *testing.T) {
	goEnv := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, goEnv...)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": exitsWith, "oneline": oneLineOfError, "oneline_matches": oneLineMatches,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "long":
				return os.Getenv("EMPIRE_LONG") != "", nil
			case "modules":
				return haveModules(), nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
	})
}

// goEnvironment is what the go command needs to load packages in a script, whose
// home directory does not exist.
func goEnvironment(t *testing.T) []string {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(out))
	repository, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return []string{"GOCACHE=" + dirs[0], "GOMODCACHE=" + dirs[1], "GOPATH=" + dirs[2], "GOPROXY=off", "GOSUMDB=off",
		"GOFLAGS=", "GOWORK=off", "REPOSITORY=" + repository,
		// Most commands end before there is garbage worth collecting.
		"GOGC=off", "GOMEMLIMIT=512MiB"}
}

// haveModules downloads what is missing of the modules that this one names.
var haveModules = sync.OnceValue(func() bool {
	download := exec.Command("go", "mod", "download")
	download.Dir = "../.."
	return download.Run() == nil
})

func exitsWith(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func oneLineOfError(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: oneline TEXT...")
	}
	if got, want := ts.ReadFile("stderr"), "empire-go: "+strings.Join(args, " ")+"\n"; got != want {
		ts.Fatalf("standard error:\n%swant\n%s", got, want)
	}
}

func oneLineMatches(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: oneline_matches RE")
	}
	got := ts.ReadFile("stderr")
	want := regexp.MustCompile(`^empire-go: [^\n]*` + args[0] + `[^\n]*\n$`)
	if !want.MatchString(got) {
		ts.Fatalf("standard error:\n%swant one line that matches %s", got, args[0])
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]string{
		"4GiB": "4GiB", "1.5GiB": "1536MiB", "512MiB": "512MiB", "2000000": "2000000B", "2G": "2GiB", "3000KB": "3000000B",
		"": "", "0": "", "-1GiB": "", "GiB": "", "NaN": "", "1e30": "", "4 GiB": "4GiB", "4Gi": "", "12": "", "1000KB": "",
	} {
		var s sizeValue
		got := ""
		if s.Set(text) == nil {
			got = s.String()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestEveryErrorIsOneLine gives each command arguments that it cannot carry out.
func TestEveryErrorIsOneLine(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, args := range []string{
		"chekc", "frobnicate", "check --nosuch", "check -x", "check --type", "check --copies 0", "check --copies x",
		"check --strict=maybe",
		"check --format xml", "check --html=", "check --html .", "check --timeout 0", "check --memory 4Gi",
		"check --scenario 13",
		"explain 13", "explain 1 2", "explain pattern", "explain pattern 15", "version x", "help nosuch", "help check nosuch",
		"completion nosuch", "completion bash x", "esl check", "esl check a b", "esl check " + missing,
		"cpds check " + missing, "cpds check --engine x " + missing,
		"esl check --scenario 0 " + missing, "check --dot=", "check --nosuch=1 --other",
		"check --html - --dot -", "check --format json --html -", "run --trace - .", "man", "man a b", "render",
		"explain stale_update", "baseline --reason x --expires 1", "check --scenario stale", "check --baseline nowhere",
		"check --fail-on", "check --fail-on none", "check --fail-on=",
	} {
		var stdout, stderr strings.Builder
		status := run(strings.Fields(args), &stdout, &stderr)
		text := stderr.String()
		if status != statusFailed || stdout.Len() > 0 || !strings.HasPrefix(text, "empire-go: ") ||
			strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") || strings.Count(text, ": ") < 2 {
			t.Errorf("empire-go %s: exit status %d, standard output %q, standard error %q", args, status, stdout.String(), text)
		}
	}
}
