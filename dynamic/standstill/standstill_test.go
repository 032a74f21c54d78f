package standstill

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/stacks"
	"github.com/empire-go/empire-go/scenarios"
)

var all = flag.Bool("all", false, "run all programs of testdata/blocking, which takes minutes")

// confirmed is programs of which each finding is seen to happen.
var confirmed = []string{"double_lock_callback", "read_write_read_method", "order_close_twice", "order_close_checked",
	"order_negative_counter", "order_counted_inside", "progress_message_polled", "progress_lock_left", "channel_watchers",
	"made_again", "test_logs_late"}

// TestConfirm runs programs along the interleavings of their findings. Each finding is to be seen, unless the program
// says above a place of it why none is:
//
//	// confirm: no, REASON
//
// and then it is not, or why it may not be in every run: "perhaps, REASON". A comment above the
// program says with which arguments, with what to read, or in what environment it is run:
//
//	// confirm: with "-v" ""
//	// confirm: reading "12"
//	// confirm: under "GOMAXPROCS=1"
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
			c := readCase(t, name)
			r, err := empire.Run(t.Context(), empire.Request{Dir: "../..", Packages: []string{"./testdata/blocking/" + name},
				Classes: scenarios.ClassNames(), Tests: c.isTest})
			if err != nil {
				t.Fatal(err)
			}
			if err := Confirm(t.Context(), "../..", r, c.input); err != nil {
				t.Fatal(err)
			}
			for _, b := range r.Blocking {
				for _, f := range b.Findings {
					if b.IsCall { // nobody says with what it is called
						continue
					}
					findings++
					no, perhaps := reasonFor(f, c.no), reasonFor(f, c.perhaps)
					switch is := f.Confirmation.Status == empire.Confirmed; {
					case is && no != "":
						t.Errorf("%s at %s is confirmed: it is not so that %s", f.Class, f.Waits[0].Pos, no)
					case is:
						seen++
					case no == "" && perhaps == "":
						t.Errorf("%s at %s is %s: %s", f.Class, f.Waits[0].Pos, f.Confirmation.Status, f.Confirmation.Reason)
					}
				}
			}
		})
	}
	t.Logf("%d of %d findings confirmed; of the others it is said why not", seen, findings)
}

// runCase is how a program is run, and by line why a finding is not confirmed, or not always.
type runCase struct {
	isTest      bool
	input       Input
	no, perhaps map[int]string
}

// readCase reads the comments of a program.
func readCase(t *testing.T, name string) runCase {
	c := runCase{no: map[int]string{}, perhaps: map[int]string{}}
	src, err := os.ReadFile(filepath.Join("../../testdata/blocking", name, "main.go"))
	if c.isTest = os.IsNotExist(err); c.isTest {
		src, err = os.ReadFile(filepath.Join("../../testdata/blocking", name, "main_test.go"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(src), "\n") {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "// confirm: ")
		if !ok {
			continue
		}
		kind, rest, _ := strings.Cut(text, " ")
		switch kind {
		case "no,":
			c.no[i+2] = rest
		case "perhaps,":
			c.perhaps[i+2] = rest
		case "with":
			c.input.Args = unquoted(t, rest)
		case "under":
			c.input.Env = unquoted(t, rest)
		case "reading":
			c.input.Text = strings.Join(unquoted(t, rest), "\n")
		default:
			t.Fatalf("line %d: %q says nothing about how it is confirmed", i+1, line)
		}
	}
	return c
}

// reasonFor returns the reason at a place of a finding; "": there is none.
func reasonFor(f empire.BlockingFinding, reasons map[int]string) string {
	for _, w := range f.Waits {
		_, place, _ := strings.Cut(stacks.LineOf(w.Pos), ":")
		if n, err := strconv.Atoi(place); err == nil && reasons[n] != "" {
			return reasons[n]
		}
	}
	return ""
}

// unquoted reads strings as Go writes them.
func unquoted(t *testing.T, text string) (words []string) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		words, text = append(words, word), text[len(quoted):]
	}
	return words
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
