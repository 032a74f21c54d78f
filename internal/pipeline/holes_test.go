package pipeline_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/internal/pipeline"
)

// TestHolesElsewhere requires that reflection in another module is an assumption
// where the module calls what leads there, and that of the standard library is none.
func TestHolesElsewhere(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m/go.mod": "module example.com/m\n\ngo 1.26\n\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => " +
			"../dep\n",
		"dep/go.mod": "module example.com/dep\n\ngo 1.26\n",
		"dep/dep.go": `package dep

import "reflect"

func Zero(p any) { zero(reflect.ValueOf(p).Elem()) }

func zero(v reflect.Value) { v.SetZero() }
`,
		"m/main.go": `package main

import (
	"fmt"
	"sync"

	"example.com/dep"
)

type T struct {
	mu   sync.Mutex
	a, b int
}

func main() {
	t := &T{}
	t.mu.Lock()
	dep.Zero(&t.a)
	t.mu.Unlock()
	fmt.Println(t.b)
}
`,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	result, err := pipeline.Run(context.Background(), pipeline.Request{
		Dir: filepath.Join(dir, "m"), Packages: []string{"."}, Type: "T", Fields: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	var found []pipeline.Assumption
	for _, q := range result.Queries {
		for _, a := range q.Assumptions {
			if a.Kind == "reflect" {
				found = append(found, a)
			}
		}
	}
	if len(found) != 1 || found[0].Pos != "main.go:18:10" || !strings.Contains(found[0].Text, "example.com/dep") {
		t.Errorf("reflection is assumed at %v", found)
	}
}
