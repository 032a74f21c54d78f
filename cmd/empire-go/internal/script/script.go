// Package script runs the tests of the command: scripts of testscript, which are txtar files.
// Besides the commands of testscript they have
//
//	status N command...    run the command, which must exit with status N
//	oneline TEXT...        standard error is the one line "empire-go: TEXT"
//	oneline_matches RE     standard error is one line "empire-go: ..." that matches
//
// and the conditions [long], that EMPIRE_LONG is set, which runs programs in more layouts and
// builds the command as a tool, [pool], that the command was built with -tags pool, and
// [modules]: all modules that this one names are there or can be had, also those that its own
// tests on this system need nothing of. $REPOSITORY is the module's folder.
package script

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

	"github.com/empire-go/empire-go/cmd/empire-go/command"
)

var update = flag.Bool("update", false, "rewrite the expected output that the scripts compare with cmp")

// Commands is for testscript.Main: it puts the command on the path of the scripts.
var Commands = map[string]func(){"empire-go": func() { os.Exit(command.Run(os.Args[1:], os.Stdout, os.Stderr)) }}

// Run runs the scripts of a folder.
func Run(t *testing.T, dir string) {
	goEnv := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
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
			case "pool":
				return command.HasPool, nil
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
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(out)) // and the file that names the module
	return []string{"GOCACHE=" + dirs[0], "GOMODCACHE=" + dirs[1], "GOPATH=" + dirs[2], "GOPROXY=off", "GOSUMDB=off",
		"GOFLAGS=", "GOWORK=off", "REPOSITORY=" + filepath.Dir(dirs[3]),
		// Most commands end before there is garbage worth collecting.
		"GOGC=800", "GOMEMLIMIT=512MiB"}
}

// haveModules downloads what is missing of the modules that this one names.
var haveModules = sync.OnceValue(func() bool {
	return exec.Command("go", "mod", "download").Run() == nil
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
