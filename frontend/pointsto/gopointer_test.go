package pointsto

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// TestGoPointer requires that sets and calls are among those that
// golang.org/x/tools/go/pointer finds, in the functions of the programs of testdata and
// of the cases of the checker, outside its holes. It takes a minute or more, and
// downloads that package, which is frozen and runs after a repair:
//
//	EMPIRE_GOPOINTER=1 go test -run TestGoPointer -v -timeout 20m ./frontend/pointsto
func TestGoPointer(t *testing.T) {
	if os.Getenv("EMPIRE_GOPOINTER") == "" {
		t.Skip("set EMPIRE_GOPOINTER=1")
	}
	all, err := loadedPrograms()
	if err != nil {
		t.Fatal(err)
	}
	binary := buildGoPointer(t)
	ran, values, calls := 0, 0, 0
	for _, group := range bySize(all) {
		theirs := runGoPointer(t, binary, group)
		for _, p := range group {
			t.Run(p.name, func(t *testing.T) {
				found := theirs[p.loaded.PkgPath]
				if found == nil || found.fails != "" {
					t.Skipf("go/pointer does not run: %v", found)
				}
				v, c, differences := found.compare(t, p)
				ran, values, calls = ran+1, values+v, calls+c
				why, hole := goPointerHoles[p.name]
				if hole {
					if len(differences) == 0 {
						t.Errorf("no difference, but there should be one: %s", why)
					}
					t.Logf("%d differences: %s", len(differences), why)
					return
				}
				for _, d := range differences {
					t.Error(d)
				}
			})
		}
	}
	t.Logf("go/pointer runs on %d of %d programs; %d values and %d calls compared", ran, len(all), values, calls)
}

// goPointerHoles is where go/pointer finds less than there is, and why.
var goPointerHoles = map[string]string{
	"channel_timeout":           "the runtime system sends when a timer is due",
	"context_polled":            "atomic.Value and atomic.Pointer in package context",
	"json_value_method":         "encoding/json calls by reflection",
	"looked_at_last":            "the runtime system keeps the function of a timer",
	"looked_at_last_fixed":      "the same",
	"marshaled_by_method_fixed": "encoding/gob calls by reflection",
	"pool_in_table_fixed":       "a call by reflection",
	"snapshot_swapped":          "atomic.Pointer",
	"snapshot_swapped_fixed":    "atomic.Pointer",
	"carriers": "atomic.Pointer, sync.Map and others hide pointers behind unsafe.Pointer, which lose " +
		"what they point to; errors.As stores by reflection",
	"copy_on_write":       "atomic.Pointer",
	"copy_on_write_fixed": "atomic.Pointer",
	"flow_sync_map":       "sync.Map",
	"flow_sync_map_fixed": "sync.Map",
	"holes":               "unsafe",
	"library":             "atomic.Pointer, atomic.Value, sync.Map, sync.Pool",
	"memory":              "unsafe",
	"never_returns":       "os.Args comes from the runtime system, and is no object of package os",
	"never_returns_fixed": "the same",
}

// bySize parts the programs that lead to package fmt from others, and takes each eighth
// of them: go/pointer looks at the types of all programs that are loaded together, and
// needs a second for each.
func bySize(all []*program) [2][]*program {
	var groups [2][]*program
	for i, p := range all {
		large := 0
		packages.Visit([]*packages.Package{p.loaded}, func(p *packages.Package) bool {
			if p.PkgPath == "fmt" {
				large = 1
			}
			return true
		}, nil)
		if large == 0 || i%8 == 0 {
			groups[large] = append(groups[large], p)
		}
	}
	return groups
}

// buildGoPointer builds testdata/gopointer with a repaired go/pointer: it takes the
// methods of interfaces for functions, which are none in today's SSA.
func buildGoPointer(t *testing.T) string {
	dir := t.TempDir()
	run := func(arguments ...string) string {
		c := exec.CommandContext(t.Context(), "go", arguments...)
		c.Dir = dir
		var errors bytes.Buffer
		c.Stderr = &errors
		output, err := c.Output()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, errors.String())
		}
		return strings.TrimSpace(string(output))
	}
	if err := os.CopyFS(dir, os.DirFS("../../testdata/gopointer")); err != nil {
		t.Fatal(err)
	}
	run("mod", "download", "golang.org/x/tools/go/pointer")
	sources, err := filepath.Glob(filepath.Join(run("list", "-m", "-f", "{{.Dir}}", "golang.org/x/tools/go/pointer"), "*"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "pointer"), 0o777); err != nil {
		t.Fatal(err)
	}
	const broken, repaired = "itf := isInterface(T)\n", "itf := isInterface(T)\n\tif itf {\n\t\treturn\n\t}\n"
	repairs := 0
	for _, file := range sources {
		base := filepath.Base(file)
		if base != "go.mod" && (!strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go")) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		repairs += strings.Count(string(text), broken)
		write(t, filepath.Join(dir, "pointer", base), strings.ReplaceAll(string(text), broken, repaired))
	}
	if repairs != 1 {
		t.Fatalf("go/pointer is not what it was: %d places to repair", repairs)
	}
	run("mod", "edit", "-replace", "golang.org/x/tools/go/pointer=./pointer")
	run("build", "-mod=mod", "-o", "gopointer", ".")
	return filepath.Join(dir, "gopointer")
}

// foundElsewhere is what go/pointer finds in a program.
type foundElsewhere struct {
	fails  string
	points map[string]map[string]bool // by function and register
	calls  map[string]map[string]bool // by function and number
}

// runGoPointer runs it on programs and returns what it finds, by their paths.
func runGoPointer(t *testing.T, binary string, programs []*program) map[string]*foundElsewhere {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	arguments := []string{root}
	for _, p := range programs {
		arguments = append(arguments, p.loaded.PkgPath)
	}
	output, err := exec.CommandContext(t.Context(), binary, arguments...).Output()
	if err != nil {
		t.Fatalf("go/pointer: %v", err)
	}
	all := map[string]*foundElsewhere{}
	var found *foundElsewhere
	for line := range strings.Lines(string(output)) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		fields := strings.Split(rest, "\t")
		switch kind {
		case "program":
			found = &foundElsewhere{points: map[string]map[string]bool{}, calls: map[string]map[string]bool{}}
			all[rest] = found
		case "fails":
			found.fails = rest
		case "points":
			insert(found.points, fields[0]+" "+fields[1], fields[2])
		case "calls":
			insert(found.calls, fields[0]+" "+fields[1], fields[2])
		}
	}
	return all
}

func insert(m map[string]map[string]bool, key, member string) {
	if m[key] == nil {
		m[key] = map[string]bool{}
	}
	m[key][member] = true
}

// compare returns how many values and calls there are, and what is found only here.
func (found *foundElsewhere) compare(t *testing.T, p *program) (values, calls int, differences []string) {
	c := p.config()
	c.Sensitivity = Sensitivity{CallSite: isCloned}
	r, err := analyze(t.Context(), c, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range r.Nodes() {
		f := n.Func
		if packagePath(f) != p.loaded.PkgPath || f.Syntax() == nil || f.Origin() != nil {
			continue // it has no names of its own
		}
		for _, v := range valuesOf(f) {
			if !pointerlike(v.Type()) {
				continue
			}
			values++
			theirs := found.points[f.String()+" "+v.Name()]
			for _, c := range r.PointsTo(n, v).Cells() {
				if name := nameElsewhere(c); name != "" && !theirs[name] {
					differences = append(differences, fmt.Sprintf(
						"%s: %s = %s points to %s, not among %s", f, v.Name(), v, name, list(theirs)))
				}
			}
		}
		number := 0
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				call, ok := i.(ssa.CallInstruction)
				if !ok {
					continue
				}
				theirs := found.calls[fmt.Sprintf("%s %d", f, number)]
				number++
				for _, callee := range r.Callees(n, call) {
					calls++
					if !theirs[callee.Func.String()] {
						differences = append(differences, fmt.Sprintf(
							"%s: %s calls %s, not among %s", f, call, callee.Func, list(theirs)))
					}
				}
			}
		}
	}
	return values, calls, differences
}

// isCloned reports whether go/pointer analyses the function once for each call.
func isCloned(f *ssa.Function) bool {
	if len(f.Blocks) != 1 {
		return false
	}
	instructions := 0
	for _, i := range f.Blocks[0].Instrs {
		switch i := i.(type) {
		case *ssa.DebugRef: // go/pointer gets the program without
			continue
		case ssa.CallInstruction:
			if _, builtin := i.Common().Value.(*ssa.Builtin); !builtin {
				return false
			}
		}
		instructions++
	}
	return instructions <= 10
}

// nameElsewhere names a cell as testdata/gopointer does; "" for a box, which it does
// not name.
func nameElsewhere(c Cell) string {
	var site ssa.Value = c.Object.Site
	switch v := site.(type) {
	case nil, *ssa.MakeInterface:
		return ""
	case *ssa.MakeClosure:
		site = v.Fn
	}
	name := site.String()
	if f := site.Parent(); f != nil {
		name = fmt.Sprintf("%s/%s", f, site.Name())
	}
	path := c.Path
	if path != "" && path[0] != '[' {
		path = "." + path
	}
	return name + path
}
