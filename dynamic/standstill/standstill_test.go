package standstill

import (
	"flag"
	"os"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/scenarios"
)

var all = flag.Bool("all", false, "run all programs of testdata/blocking, which takes minutes, and tell how many are "+
	"confirmed")

// confirmed is programs of which each finding is seen to happen.
var confirmed = []string{"double_lock_callback", "read_write_read_method", "order_close_twice", "order_close_checked",
	"order_negative_counter", "order_counted_inside", "progress_message_polled", "progress_lock_left"}

// TestConfirm runs programs along the interleavings of their findings.
func TestConfirm(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs programs")
	}
	names := confirmed
	if *all {
		names = allBugs(t)
	}
	findings, seen := 0, 0
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			r, err := empire.Run(t.Context(), empire.Request{Dir: "../..", Packages: []string{"./testdata/blocking/" + name},
				Classes: scenarios.ClassNames()})
			if err != nil {
				t.Fatal(err)
			}
			if err := Confirm(t.Context(), "../..", r, Input{}); err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Blocking[0].Findings {
				findings++
				if f.Confirmation.Status == empire.Confirmed {
					seen++
				} else if !*all {
					t.Errorf("%s %s: %s", f.Class, f.Confirmation.Status, f.Confirmation.Reason)
				} else {
					t.Logf("%s at %s: %s: %s", f.Class, f.Waits[0].Pos, f.Confirmation.Status, f.Confirmation.Reason)
				}
			}
		})
	}
	t.Logf("%d of %d findings confirmed", seen, findings)
}

// allBugs returns the names of the programs that are no libraries and have findings.
func allBugs(t *testing.T) (names []string) {
	entries, err := os.ReadDir("../../testdata/blocking")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, err := os.Stat("../../testdata/blocking/" + e.Name() + "_fixed"); err == nil && e.Name()[:3] != "lib" {
			names = append(names, e.Name())
		}
	}
	return names
}
