package golangci

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/integrations/internal/store"
)

// TestCustom builds golangci-lint with the plugin, as README.md beside it says, and runs it. EMPIRE_GOLANGCI names the
// golangci-lint that does it; the repository that this clones is made from the module of the same version.
func TestCustom(t *testing.T) {
	lint := os.Getenv("EMPIRE_GOLANGCI")
	if lint == "" {
		t.Skip("EMPIRE_GOLANGCI names no golangci-lint")
	}
	here, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir, home := t.TempDir(), t.TempDir()
	env := os.Environ()
	for _, name := range []string{"GOPATH", "GOCACHE", "GOMODCACHE"} { // they follow the home directory
		env = append(env, name+"="+strings.TrimSpace(run(t, ".", nil, 0, "go", "env", name)))
	}
	env = append(env, "HOME="+home, "EMPIRE_CACHE="+filepath.Join(home, "answers"),
		"GOLANGCI_LINT_CACHE="+filepath.Join(home, "lint"))
	version := "v" + strings.TrimSpace(run(t, ".", nil, 0, lint, "version", "--short"))
	sources := repository(t, version)
	write(t, filepath.Join(home, ".gitconfig"), "[url \"file://"+sources+"\"]\n"+
		"\tinsteadOf = https://github.com/golangci/golangci-lint.git\n")

	// The two files are those of README.md, with the plugin that is here.
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile(`(?m)(^    .*\n|^\n)+`).FindAllString(string(text), -1)
	var files []string
	for _, b := range blocks {
		if b = strings.TrimLeft(b, "\n"); b != "" {
			files = append(files, strings.ReplaceAll(b[4:], "\n    ", "\n"))
		}
	}
	if len(files) != 2 {
		t.Fatalf("%d files in README.md", len(files))
	}
	build := regexp.MustCompile(`v2[0-9.]+`).ReplaceAllString(files[0], version)
	write(t, filepath.Join(dir, ".custom-gcl.yml"), strings.Replace(build, "version: latest", "path: "+here, 1))
	settings := strings.Replace(files[1], "linters:\n", "linters:\n  default: none\n", 1)
	write(t, filepath.Join(dir, ".golangci.yml"), settings)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/store\n\ngo 1.26\n")

	run(t, dir, env, 0, lint, "custom")
	custom := filepath.Join(dir, "custom-gcl")
	write(t, filepath.Join(dir, "store.go"), store.Broken)
	out := run(t, dir, env, 1, custom, "run", "./...")
	if !strings.Contains(out, "store.go:15:") || !strings.Contains(out, "\n1 issues:\n") {
		t.Errorf("%s", out)
	}
	write(t, filepath.Join(dir, "store.go"), store.Mended)
	run(t, dir, env, 0, custom, "run", "./...")
}

// repository makes a git repository of golangci-lint from its module.
func repository(t *testing.T, version string) string {
	var module struct{ Dir string }
	out := run(t, ".", nil, 0, "go", "mod", "download", "-json", "github.com/golangci/golangci-lint/v2@"+version)
	if err := json.Unmarshal([]byte(out), &module); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(module.Dir)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all", "--force"}, {"-c", "user.name=a", "-c",
		"user.email=a@example.com", "commit", "--quiet", "--message", version}, {"tag", version}} {
		run(t, dir, nil, 0, "git", args...)
	}
	return dir
}

// run runs a command that ends with a status, and returns what it prints.
func run(t *testing.T, dir string, env []string, status int, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, env
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != status {
		t.Fatalf("%s %s: %v: %s%s", name, strings.Join(args, " "), err, out, said.String())
	}
	return string(out)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
