package ssaflow

import (
	"maps"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// TestLive compares what is live at the beginning of each block with the usual backward iteration to a fixed point, in
// all functions of some packages of the standard library.
func TestLive(t *testing.T) {
	initial, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, "fmt", "text/template", "bufio")
	if err != nil || packages.PrintErrors(initial) > 0 {
		t.Fatal(err)
	}
	program, _ := ssautil.AllPackages(initial, ssa.InstantiateGenerics)
	program.Build()
	functions, blocks := 0, 0
	for fn := range ssautil.AllFunctions(program) {
		functions++
		f := NewFunction(fn, func(ssa.Instruction) []ssa.Value { return nil })
		for i, want := range liveByIteration(fn) {
			blocks++
			has := map[ssa.Value]bool{}
			for v := range f.LiveIn[i].All() {
				has[v] = true
			}
			if !maps.Equal(has, want) {
				t.Fatalf("%s, block %d: %v are live, want %v", fn, i, has, want)
			}
		}
	}
	t.Logf("%d blocks of %d functions", blocks, functions)
}

// liveByIteration are the values live at the beginning of each block, after its phis.
func liveByIteration(fn *ssa.Function) []map[ssa.Value]bool {
	live := make([]map[ssa.Value]bool, len(fn.Blocks))
	for changed := true; changed; {
		changed = false
		for i := len(fn.Blocks) - 1; i >= 0; i-- {
			b, now := fn.Blocks[i], map[ssa.Value]bool{}
			for _, next := range b.Succs {
				for v := range live[next.Index] {
					if phi, ok := v.(*ssa.Phi); !ok || phi.Block() != next {
						now[v] = true
					}
				}
			}
			for _, next := range b.Succs {
				for k, pred := range next.Preds {
					for _, phi := range Phis(next) {
						if pred == b && isLocal(phi.Edges[k]) {
							now[phi.Edges[k]] = true
						}
					}
				}
			}
			for j := len(b.Instrs) - 1; j >= FirstAfterPhis(b); j-- {
				if v, ok := b.Instrs[j].(ssa.Value); ok {
					delete(now, v)
				}
				for _, o := range b.Instrs[j].Operands(nil) {
					if *o != nil && isLocal(*o) {
						now[*o] = true
					}
				}
			}
			if !maps.Equal(now, live[i]) {
				live[i], changed = now, true
			}
		}
	}
	return live
}

// isLocal leaves out what is the same everywhere.
func isLocal(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin:
		return false
	}
	return true
}
