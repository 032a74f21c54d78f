package instrument_test

import (
	"context"
	"path"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/instrument"
)

// TestReached asks of programs whose fields are accessed by other names whether there is a site for each
// access that the static half knows of. That is so for runs in which one goroutine runs at a time; for others there are
// hooks only for what pointers, slices and maps lead to, see canLead.
func TestReached(t *testing.T) {
	all := []string{
		"append_outside_lock.History", "compared_outside_lock.Samples", "converted_outside_lock.Name",
		"counters_in_registry.Registry",
		"error_handed_out.Target", "hooks_filled_first.Limits", "json_embedded.Queue", "map_and_list.Cache",
		"session_registry.Registry", "snapshot_pointer.Store", "stored_by_errors_as.Log", "written_outside_lock.Line",
	}
	r := empire.Request{Dir: "../.."}
	for _, of := range all {
		name, _, _ := strings.Cut(of, ".")
		r.Packages = append(r.Packages, "./testdata/"+name)
	}
	session, err := empire.Open(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, r.Type = range all {
		plan, err := session.Watch(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		result, err := instrument.Rewrite(context.Background(),
			instrument.Request{Dir: r.Dir, Packages: r.Packages, Plan: plan, Steered: true})
		if err != nil {
			t.Fatal(err)
		}
		sites := map[string]bool{}
		for _, s := range result.Header.Sites {
			for _, kind := range []string{"read", "write"} {
				if s.Kind == kind || s.Kind == "rmw" {
					sites[path.Join(kind, s.Field, s.Pos)] = true
				}
			}
		}
		for _, a := range plan.Accesses {
			if !strings.HasPrefix(a.Pos, "testdata/") {
				continue
			}
			if a.Reads && !sites[path.Join("read", a.Field, a.Pos)] {
				t.Errorf("%s: no site for the read of %s at %s", r.Type, a.Field, a.Pos)
			}
			if a.Writes && !sites[path.Join("write", a.Field, a.Pos)] {
				t.Errorf("%s: no site for the write of %s at %s", r.Type, a.Field, a.Pos)
			}
		}
	}
}
