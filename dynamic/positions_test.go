package dynamic_test

import (
	"context"
	"testing"

	"github.com/empire-go/empire-go/dynamic/instrument"
)

// TestPositions holds the two halves to one convention for positions: what an instrumented
// program records of methods that run concurrently is at positions that the models know.
func TestPositions(t *testing.T) {
	for _, name := range []string{"double_check_fixed", "cond_queue_fixed", "flow_getter_fixed", "global_var_fixed"} {
		plan, root := planOf(t, name)
		r, err := instrument.Rewrite(context.Background(),
			instrument.Request{Dir: "../testdata/" + name, Packages: []string{"."}, Plan: plan, Root: root})
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, a := range plan.Accesses {
			known[a.Field+" "+a.Pos] = true
		}
		declared := map[string]string{} // of variables
		for _, s := range plan.Sets {
			for i, pos := range s.Vars {
				declared[s.Fields[i]] = pos
			}
		}
		accesses := 0
		for _, s := range r.Header.Sites {
			if s.Kind != "read" && s.Kind != "write" && s.Kind != "rmw" {
				continue
			}
			accesses++
			if !known[s.Field+" "+s.Pos] && !known[s.Field+" "+declared[s.Field]] {
				t.Errorf("%s: the models know of no %s of %s at %s", name, s.Kind, s.Field, s.Pos)
			}
		}
		if accesses == 0 {
			t.Errorf("%s: nothing is recorded", name)
		}
	}
}
