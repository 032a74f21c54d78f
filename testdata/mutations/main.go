// Command mutations breaks the checker in the ways that mutations.yaml lists, one at a
// time, each in a copy of the module, and reports which test catches it:
//
//	go run ./testdata/mutations          # all
//	go run ./testdata/mutations lock     # those whose names contain "lock"
//
// It exits with status 1 if one survives, or does not apply.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mutation is one way to break the checker.
type mutation struct {
	Name string
	File string
	Old  string   // text that occurs once in the file
	New  string   // what is written in its place
	Test []string // the arguments of go test: packages, and -run if not all their tests
}

func main() {
	log.SetFlags(0)
	text, err := os.ReadFile("testdata/mutations/mutations.yaml")
	if err != nil {
		log.Fatal("run this in the module root: ", err)
	}
	var all []mutation
	if err := yaml.Unmarshal(text, &all); err != nil {
		log.Fatal(err)
	}
	survived := 0
	fmt.Println("| mutation | caught by |")
	fmt.Println("|---|---|")
	for _, m := range all {
		if len(os.Args) > 1 && !strings.Contains(m.Name, os.Args[1]) {
			continue
		}
		by, err := m.run()
		if err != nil {
			by = "error: " + err.Error()
		}
		if err != nil || by == "" {
			survived++
		}
		fmt.Printf("| %s | %s |\n", m.Name, by)
	}
	if survived > 0 {
		os.Exit(1)
	}
}

// run returns the tests that fail in a copy with the mutation; "" if none does.
func (m mutation) run() (caughtBy string, err error) {
	dir, err := os.MkdirTemp("", "mutation")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := copyModule(dir); err != nil {
		return "", err
	}
	file := filepath.Join(dir, m.File)
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if n := bytes.Count(text, []byte(m.Old)); n != 1 {
		return "", fmt.Errorf("%s has the text %d times", m.File, n)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte(m.Old), []byte(m.New), 1), 0o644); err != nil {
		return "", err
	}
	test := exec.Command("go", append([]string{"test", "-short", "-failfast", "-trimpath"}, m.Test...)...)
	test.Dir = dir
	out, err := test.CombinedOutput()
	if err == nil {
		return "", nil
	}
	if bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")) {
		return "", fmt.Errorf("does not build: %s", firstLines(out))
	}
	var failed []string
	for _, match := range regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`).FindAllSubmatch(out, -1) {
		if name := strings.TrimSpace(string(match[1])); !slices.ContainsFunc(failed, func(f string) bool { return strings.HasPrefix(name, f) }) {
			failed = append(failed, name)
		}
	}
	if len(failed) == 0 {
		return "a panic, or the time limit: " + firstLines(out), nil
	}
	return strings.Join(failed, ", "), nil
}

// copyModule copies the files that are under version control.
func copyModule(dir string) error {
	list, err := exec.Command("git", "ls-files", "go.mod", "go.sum", "*.go", "checker", "cpds", "esl", "frontend", "testdata/esl").Output()
	if err != nil {
		return err
	}
	for _, name := range strings.Fields(string(list)) {
		if strings.HasPrefix(name, "testdata/") && !strings.HasPrefix(name, "testdata/esl/") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// firstLines returns the beginning of an output on one line.
func firstLines(out []byte) string {
	text := strings.Join(strings.Fields(string(out)), " ")
	return text[:min(len(text), 200)]
}
