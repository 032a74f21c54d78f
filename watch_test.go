package empire_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestWatch holds the plan of what to watch to what the Empire paper's example has, and
// to being the same for the same request.
func TestWatch(t *testing.T) {
	ctx := context.Background()
	session, err := empire.Open(ctx, empire.Request{Packages: []string{"./testdata/vector"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []empire.Request{{}, {Type: "Vector", Fields: []string{"count", "data"}}} {
		plan, err := session.Watch(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := plan.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Sets) != 1 || plan.Sets[0].Name() != "vector.Vector {count, data}" {
			t.Errorf("the sets are %v", plan.Sets)
		}
		kinds := map[string]watch.Function{}
		for _, f := range plan.Functions {
			kinds[f.Name[len(f.Name)-5:]] = f
		}
		if f := kinds["Clear"]; f.Kind != watch.Method {
			t.Errorf("Clear is %+v", f)
		}
		if f := kinds["rFrom"]; f.Kind != watch.Constructor || len(f.UnitFor) != 1 {
			t.Errorf("NewVectorFrom is %+v\n%s", f, text)
		}
		again, err := session.Watch(ctx, r)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := again.Encode(); err != nil || !bytes.Equal(text, other) {
			t.Errorf("two plans of one request differ: %v", err)
		}
		if back, err := watch.Decode(text); err != nil || len(back.Functions) != len(plan.Functions) {
			t.Errorf("reading a plan back: %v", err)
		}
	}
}
