package steer

import (
	"archive/zip"
	"context"
	"os"
	"path/filepath"
	"testing"

	empire "github.com/empire-go/empire-go"
)

// TestDependency confirms the violation of a library that is a dependency, in the module cache,
// and finds a run in which it does harm. The library knows nothing of go.mod files.
func TestDependency(t *testing.T) {
	t.Setenv("GOMODCACHE", filepath.Join(t.TempDir(), "cache"))
	t.Setenv("GOPROXY", "file://"+proxyOf(t, "example.com/harm", "v1.0.0", "testdata/harm/counter.go"))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOFLAGS", "-mod=mod -modcacherw")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/user\n\ngo 1.24\n\nrequire example.com/harm v1.0.0\n",
		"user.go": "package user\n\nimport _ \"example.com/harm\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := empire.Request{Dir: dir, Packages: []string{"example.com/harm"}, Type: "example.com/harm.Counter",
		Fields: []string{"count", "data"}}
	result, err := empire.Run(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if err := Confirm(context.Background(), Config{Dir: dir, Budget: DefaultBudget}, result); err != nil {
		t.Fatal(err)
	}
	violations := Violations(result)
	if len(violations) == 0 {
		t.Error("no violation was found")
	}
	for _, v := range violations {
		if s := v.Scenario; s.Confirmation.Status != Confirmed || s.Harm.Status != empire.HarmSeen {
			t.Errorf("scenario %d: %+v %+v", s.Scenario, s.Confirmation, s.Harm)
		}
	}
}

// proxyOf makes a module of one file, and returns the directory of a module proxy that has it.
func proxyOf(t *testing.T, path, version, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	at := filepath.Join(dir, path, "@v")
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	packed, err := os.Create(filepath.Join(at, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(packed)
	w, err := z.Create(path + "@" + version + "/" + filepath.Base(file))
	if err == nil {
		_, err = w.Write(text)
	}
	if err != nil || z.Close() != nil || packed.Close() != nil {
		t.Fatal("the module cannot be packed")
	}
	for name, text := range map[string]string{
		"list": version + "\n", version + ".info": `{"Version":"` + version + `"}`, version + ".mod": "module " + path + "\n",
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
