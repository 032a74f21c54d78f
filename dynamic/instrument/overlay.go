package instrument

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"github.com/empire-go/empire-go/dynamic/hook"
	"github.com/empire-go/empire-go/dynamic/snapshot"
	"github.com/empire-go/empire-go/dynamic/trace"
)

// The packages that are added to the program's GOROOT.
const (
	hookPath     = "empire/hook"
	tracePath    = "empire/trace"
	snapshotPath = "empire/snapshot"
)

// GoRoot is the GOROOT of the go command; "" if that does not say.
var GoRoot = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
})

// AddedDir is the directory that the packages are in which are added to the program.
func AddedDir() string { return filepath.Join(GoRoot(), "src", "empire") }

// WriteOverlay writes the files of an instrumented program into a directory, and returns
// the name of the file for the -overlay flag of the go command.
func (r *Result) WriteOverlay(dir string) (string, error) {
	files, err := r.Overlay()
	if err != nil {
		return "", err
	}
	return WriteOverlay(files, dir)
}

// Overlay returns the contents of the files of an instrumented program, by the names that they stand for.
func (r *Result) Overlay() (map[string]string, error) {
	root := GoRoot()
	if root == "" {
		return nil, fmt.Errorf("go: not found, or it does not say what its GOROOT is; install Go and put it on the PATH")
	}
	files := map[string]string{
		filepath.Join(root, "src", "runtime", "empire.go"):                     hook.RuntimeSource,
		filepath.Join(root, "src", filepath.FromSlash(tracePath), "format.go"): trace.FormatSource,
	}
	for name, text := range hook.Sources() {
		files[filepath.Join(root, "src", filepath.FromSlash(hookPath), name)] = text
	}
	for name, text := range snapshot.Sources() {
		files[filepath.Join(root, "src", filepath.FromSlash(snapshotPath), name)] = text
	}
	maps.Copy(files, r.Files)
	return files, nil
}

// WriteOverlay writes the contents of files, by the names that they stand for, into a directory, and returns the name
// of the file for the -overlay flag of the go command.
func WriteOverlay(files map[string]string, dir string) (string, error) {
	var names []string
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	replace := map[string]string{}
	for i, name := range names {
		copied := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(name)))
		if err := os.WriteFile(copied, []byte(files[name]), 0o600); err != nil {
			return "", err
		}
		replace[name] = copied
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, text, 0o600)
}
