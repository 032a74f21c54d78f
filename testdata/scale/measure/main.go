// Command measure checks types of the servers beside it, or of those named, and prints
// what the stages cost. See README.md.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var servers = []struct {
	name  string
	types []string // each may say which fields, as T{a,b}
}{
	{"httpserver", []string{"Hits", "Visitors", "Lines{lines,bytes}"}},
	{"etcd", []string{"Health", "go.etcd.io/etcd/pkg/v3/wait.list{e}"}},
	{"prometheus", []string{"Parts", "Lines{byLevel,total}"}},
}

func main() {
	log.SetFlags(0)
	dir, err := os.MkdirTemp("", "scale")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "empire-go")
	build := exec.Command("go", "build", "-o", command, "./cmd/empire-go")
	build.Dir, build.Stderr = filepath.Join("..", ".."), os.Stderr
	if err := build.Run(); err != nil {
		log.Fatal("run this in testdata/scale: ", err)
	}
	fmt.Println("| program | type | load | ssa | base | of load + ssa | query | of load + ssa | check | alone | whole | verdict |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, s := range servers {
		if len(os.Args) > 1 && !named(s.name) {
			continue
		}
		for _, typ := range s.types {
			measure(command, s.name, typ)
		}
	}
}

func named(name string) bool {
	for _, arg := range os.Args[1:] {
		if arg == name {
			return true
		}
	}
	return false
}

// measure prints the row of one type.
func measure(command, name, typ string) {
	var out, problem bytes.Buffer
	args := []string{"check", "--timings", "--format", "json", "--memory", "16GiB"}
	typ, fields, some := strings.Cut(strings.TrimSuffix(typ, "}"), "{")
	if some {
		args = append(args, "--fields", fields)
	}
	check := exec.Command(command, append(args, "--type", typ, "./"+name)...)
	check.Stdout, check.Stderr = &out, &problem
	err := check.Run() // fails if there is a violation
	var r struct {
		Verdict string
		MS      struct{ Load, SSA, Base, Refine, Reduce, Lower, Check float64 }
		Load    float64 `json:"loadPeakMiB"`
		Peak    float64 `json:"peakMiB"`
	}
	if json.Unmarshal(out.Bytes(), &r) != nil {
		log.Fatalf("%s: %v: %s", name, err, problem.String())
	}
	loaded, query := r.MS.Load+r.MS.SSA, r.MS.Refine+r.MS.Reduce+r.MS.Lower
	fmt.Printf("| %s | %s | %.1f s | %.1f s | %.2f s | %.0f %% | %.2f s | %.0f %% | %.1f s | %.0f MiB | %.0f MiB | %s |\n", name, typ[strings.LastIndex(typ, "/")+1:],
		r.MS.Load/1000, r.MS.SSA/1000, r.MS.Base/1000, 100*r.MS.Base/loaded, query/1000, 100*query/loaded, r.MS.Check/1000, r.Load, r.Peak, r.Verdict)
}
