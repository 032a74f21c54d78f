// Package integrations tests the ways to have empire-go where people work: see README.md.
package integrations

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
	"github.com/empire-go/empire-go/integrations/internal/store"
)

// TestMain is the command itself where a test runs it.
func TestMain(m *testing.M) {
	if os.Getenv("EMPIRE_IS_COMMAND") != "" {
		os.Exit(command.Run(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// module makes a module with one package, and a directory of commands with empire-go in it.
func module(t *testing.T, source string) (dir string, env []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("checks programs")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash here")
	}
	dir = t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/store\n\ngo 1.26\n", 0o644)
	write(t, filepath.Join(dir, "store.go"), source, 0o644)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	write(t, filepath.Join(bin, "empire-go"), "#!/bin/sh\nEMPIRE_IS_COMMAND=1 exec '"+self+"' \"$@\"\n", 0o755)
	return dir, append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"),
		"EMPIRE_CACHE="+filepath.Join(t.TempDir(), "cache"))
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a directory and returns what it prints, and whether it fails.
func run(t *testing.T, dir string, env []string, name string, args ...string) (string, bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	return string(out), err != nil
}

// TestAction runs the steps of the action that are commands.
func TestAction(t *testing.T) {
	text, err := os.ReadFile("github/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct {
			Using string
			Steps []struct{ ID, Shell, Run, Uses string }
		}
		Inputs map[string]struct{ Default string }
	}
	if err := yaml.Unmarshal(text, &action); err != nil || action.Runs.Using != "composite" {
		t.Fatalf("%v: %+v", err, action)
	}
	for _, s := range action.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Error("what others write is part of a command: " + s.Run)
		}
	}
	for source, wantsFailure := range map[string]bool{store.Broken: true, store.Mended: false} {
		dir, env := module(t, source)
		output, summary := filepath.Join(t.TempDir(), "output"), filepath.Join(t.TempDir(), "summary")
		sarif := filepath.Join(t.TempDir(), "empire.sarif")
		env = append(env, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary, "SARIF="+sarif, "VERSION=latest",
			"PACKAGES="+action.Inputs["packages"].Default, "FAIL_ON="+action.Inputs["fail-on"].Default, "NEW_FROM=", "ARGS=")
		failed := false
		for _, s := range action.Runs.Steps {
			if s.Run == "" {
				continue
			}
			if out, err := os.ReadFile(output); err == nil {
				_, status, _ := strings.Cut(string(out), "status=")
				env = append(env, "STATUS="+strings.TrimSpace(status))
			}
			out, fails := run(t, dir, env, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
			t.Log(out)
			failed = failed || fails
		}
		if failed != wantsFailure {
			t.Errorf("failed: %v", failed)
		}
		found, err := os.ReadFile(sarif)
		if err != nil || strings.Contains(string(found), "\"ruleId\"") != wantsFailure {
			t.Errorf("%v: %s", err, found)
		}
		if told, err := os.ReadFile(summary); err != nil || !strings.Contains(string(told), "1 query") &&
			!strings.Contains(string(told), "queries") {
			t.Errorf("the summary: %v: %s", err, told)
		}
	}
}

// TestHook: a commit that brings a violation is rejected, one that does not is not, though one is there.
func TestHook(t *testing.T) {
	dir, env := module(t, store.Mended)
	env = append(env, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_GLOBAL=/dev/null")
	git := func(args ...string) (string, bool) { return run(t, dir, env, "git", args...) }
	hook, err := os.ReadFile("precommit/pre-commit")
	if err != nil {
		t.Fatal(err)
	}
	if out, failed := git("init", "--quiet"); failed {
		t.Skip("no git here: ", out)
	}
	write(t, filepath.Join(dir, ".git", "hooks", "pre-commit"), string(hook), 0o755)
	commit := func(source string, wantsFailure bool) {
		t.Helper()
		write(t, filepath.Join(dir, "store.go"), source, 0o644)
		git("add", "-A")
		if out, failed := git("commit", "--quiet", "-m", "a change"); failed != wantsFailure {
			t.Errorf("failed: %v: %s", failed, out)
		}
	}
	commit(store.Mended, false)
	commit(store.Broken, true)
	git("commit", "--quiet", "--no-verify", "-m", "broken all the same")
	commit(store.Broken+"\n// New makes one.\n", false)

	// What a program does with it without arguments is unknown; it is new all the same.
	git("rm", "--quiet", "store.go")
	program := strings.Replace(store.Broken, "package store\n\nimport \"sync\"\n",
		"package main\n\nimport (\n\t\"os\"\n\t\"sync\"\n)\n", 1) + `
func main() {
	s := New()
	for _, arg := range os.Args[1:] {
		go s.Put(arg, 1)
	}
	s.Sum()
}
`
	commit(program, true)
	commit(strings.Replace(program, "\ts.mu.Unlock()\n\ts.mu.Lock()\n", "", 1), false)

	var hooks []struct{ ID, Entry, Language string }
	text, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil || yaml.Unmarshal(text, &hooks) != nil || len(hooks) != 1 || hooks[0].Language != "golang" {
		t.Fatalf("%v: %+v", err, hooks)
	}
	if out, failed := run(t, dir, env, "bash", "-c", hooks[0].Entry); failed {
		t.Errorf("nothing is new: %s", out)
	}
}

// TestPreCommit has the framework install what is committed here, and rejects a commit that brings a violation.
// EMPIRE_PRECOMMIT is any text: it takes minutes, and downloads what is built.
func TestPreCommit(t *testing.T) {
	if os.Getenv("EMPIRE_PRECOMMIT") == "" {
		t.Skip("EMPIRE_PRECOMMIT is not set")
	}
	dir, env := module(t, store.Mended)
	env = append(env, "PRE_COMMIT_HOME="+t.TempDir(), "GOFLAGS=-modcacherw")
	must := func(where, name string, args ...string) string {
		t.Helper()
		out, failed := run(t, where, env, name, args...)
		if failed {
			t.Fatalf("%s %s: %s", name, strings.Join(args, " "), out)
		}
		return strings.TrimSpace(out)
	}
	repository := must(".", "git", "rev-parse", "--show-toplevel")
	write(t, filepath.Join(dir, ".pre-commit-config.yaml"), "repos:\n  - repo: "+repository+"\n    rev: "+
		must(".", "git", "rev-parse", "HEAD")+"\n    hooks: [{id: empire-go}]\n", 0o644)
	must(dir, "git", "init", "--quiet")
	must(dir, "git", "config", "user.name", "a")
	must(dir, "git", "config", "user.email", "a@example.com")
	must(dir, "git", "add", "-A")
	must(dir, "git", "commit", "--quiet", "-m", "mended")
	must(dir, "pre-commit", "install")
	for _, c := range []struct {
		source string
		fails  bool
	}{{store.Broken, true}, {store.Mended + "\n// The end.\n", false}} {
		write(t, filepath.Join(dir, "store.go"), c.source, 0o644)
		must(dir, "git", "add", "-A")
		if out, failed := run(t, dir, env, "git", "commit", "-m", "a change"); failed != c.fails {
			t.Errorf("failed: %v: %s", failed, out)
		}
	}
}

// TestVet: the go command runs the tool, which tells what it finds.
func TestVet(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "vettool")
	dir, env := module(t, store.Broken)
	if out, failed := run(t, ".", os.Environ(), "go", "build", "-o", tool, "./vettool"); failed {
		t.Fatal(out)
	}
	out, failed := run(t, dir, env, "go", "vet", "-vettool="+tool, "./...")
	if !failed || !strings.Contains(out, "store.go:") || !strings.Contains(out, "(*example.com/store.Store).Put") {
		t.Errorf("failed: %v: %s", failed, out)
	}
	id := regexp.MustCompile(`\(id ([0-9a-f]{8});`).FindStringSubmatch(out)
	if id == nil {
		t.Fatal("no id: ", out)
	}
	accepted := strings.Replace(store.Broken, "\ts.total += n", "\ts.total += n //empire:ignore "+id[1]+" an overview", 1)
	write(t, filepath.Join(dir, "store.go"), accepted, 0o644)
	if out, failed := run(t, dir, env, "go", "vet", "-vettool="+tool, "./..."); failed {
		t.Errorf("it is accepted: %s", out)
	}
	write(t, filepath.Join(dir, "store.go"), store.Mended, 0o644)
	if out, failed := run(t, dir, env, "go", "vet", "-vettool="+tool, "./..."); failed {
		t.Errorf("it is mended: %s", out)
	}
}
