package predict

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/scenarios"
)

var updatePeers = flag.Bool("update-peers", false, "write testdata/peers.txt")

// warning is what a detector of others says of a trace: of which variables or which places, with a name for a reader.
type warning struct {
	what string
	of   []string // fields, or for locks places
}

// peers are small reference implementations of detectors that the literature has, each on the events of one trace.
var peers = []struct {
	name string
	find func(list []peerEvent) []warning
}{
	{"hybrid", hybrid},     // Eraser's lock sets, for what happens-before without locks does not order
	{"atomizer", atomizer}, // Lipton's reduction, of blocks
	{"views", views},       // view consistency
	{"avio", avio},         // access interleaving invariants of one variable
	{"muvi", muvi},         // variables that are accessed together
	{"pset", pset},         // what may come before an access
	{"conmem", conmem},     // null, uninitialised; Go has no dangling pointers, and checks its buffers
	{"goodlock", goodLock}, // circles of locks
}

// peerEvent is an event with the name of its variable, the places of its blocks, and the locks that are held.
type peerEvent struct {
	events.Event
	field string // "o2.count"
	// isMessage tells that it stands for a message, a wait or the like: in the STD format that is a variable of its
	// own.
	isMessage bool
	pos       string
	block     []int    // the numbers of the blocks that it is in, the innermost last
	names     []string // and where they begin
	held      []peerHold
}

var message = regexp.MustCompile(`^(s\d+\.\d+|once\d+)$`)

type peerHold struct {
	lock   uint64
	shared bool
	pos    string
}

func peerEvents(t *testing.T, open func() (io.ReadCloser, error)) (list []peerEvent) {
	t.Helper()
	src, err := events.STD(open)
	if err != nil {
		t.Fatal(err)
	}
	held, blocks, names := map[uint32][]peerHold{}, map[uint32][]int{}, map[uint32][]string{}
	count := 0
	for {
		e, err := src.Next()
		if err != nil {
			return list
		}
		p := peerEvent{Event: e, pos: src.Place(e.Place).Pos}
		th := e.Thread
		switch e.Op {
		case events.BlockBegin:
			count++
			blocks[th], names[th] = append(slices.Clone(blocks[th]), count), append(slices.Clone(names[th]), p.pos)
		case events.BlockEnd:
			n := len(blocks[th]) - 1
			blocks[th], names[th] = blocks[th][:n:n], names[th][:n:n]
		case events.Unlock, events.RUnlock:
			held[th] = slices.DeleteFunc(slices.Clone(held[th]), func(h peerHold) bool { return h.lock == e.Object })
		}
		if e.Op.Kind() == events.Variable {
			p.field = fieldOf(src.Text(e))
			p.isMessage = message.MatchString(p.field)
			p.Atomic = p.isMessage
		}
		p.block, p.names, p.held = blocks[th], names[th], held[th]
		list = append(list, p)
		if e.Op == events.Lock || e.Op == events.RLock {
			held[th] = append(slices.Clone(held[th]), peerHold{e.Object, e.Op == events.RLock, p.pos})
		}
	}
}

// fieldOf is the variable of an event, by its text, as r(o2.count).
func fieldOf(text string) string {
	_, field, _ := strings.Cut(text, "(")
	return strings.TrimSuffix(field, ")")
}

// ours is what is predicted here: of each finding its variables, the places of its events, and those of its blocks.
func ours(t *testing.T, open func() (io.ReadCloser, error), list []peerEvent) (all []map[string]bool) {
	t.Helper()
	begins := func(b Block) string {
		i := slices.IndexFunc(list, func(e peerEvent) bool { return e.Number == b.Begin && isAccess(e) })
		if i < 0 {
			return ""
		}
		return "block with " + list[i].pos
	}
	src, err := events.STD(open)
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults
	o.Deadlocks, o.Races, o.Orders, o.Signals = true, true, true, true
	if o.Scenarios, err = scenarios.Select("all"); err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), src, Transactions(), o)
	if err != nil {
		t.Fatal(err)
	}
	finding := func(steps []Step, names ...string) {
		f := map[string]bool{}
		for _, s := range steps {
			if s.Path {
				f[fieldOf(s.Text)], f[s.Pos] = true, true
			}
		}
		for _, n := range names {
			f[n] = true
		}
		all = append(all, f)
	}
	for _, v := range r.Violations {
		finding(v.Steps, begins(v.Block))
	}
	for _, v := range r.Patterns {
		finding(v.Steps, begins(v.Units[0]), begins(v.Units[1]))
	}
	for _, d := range r.Deadlocks {
		finding(d.Steps)
	}
	for _, race := range r.Races {
		finding(race.Steps)
	}
	for _, s := range r.Swaps {
		finding(append(slices.Clone(s.Steps), s.First))
	}
	return all
}

// compare is a line for each peer that warns of something in a trace: how many of its warnings a finding of ours
// contains, and which are not.
func compare(t *testing.T, name string, open func() (io.ReadCloser, error)) (lines []string) {
	t.Helper()
	list := peerEvents(t, open)
	found := ours(t, open, list)
	for _, p := range peers {
		all := map[string]bool{}
		for _, w := range p.find(list) {
			all[w.what] = all[w.what] || slices.ContainsFunc(found, func(f map[string]bool) bool {
				return !slices.ContainsFunc(w.of, func(s string) bool { return !f[s] })
			})
		}
		if len(all) == 0 {
			continue
		}
		var not []string
		for _, what := range slices.Sorted(maps.Keys(all)) {
			if !all[what] {
				not = append(not, what)
			}
		}
		line := fmt.Sprintf("%-24s %-9s %2d of %2d", name, p.name, len(all)-len(not), len(all))
		if len(not) > 0 {
			line += "; not " + strings.Join(not, ", ")
		}
		lines = append(lines, line)
	}
	return lines
}

// TestPeers compares what is predicted here with what detectors of the literature say of the same traces. The table in
// testdata/peers.txt says, for each program, how many of their warnings ours contain, and which they do not: what is
// not contained is explained in peers.md there. With EMPIRE_LONG programs are recorded anew, and the table is printed.
//
//	EMPIRE_LONG=1 go test ./dynamic/predict -run TestPeers -v -timeout 60m
func TestPeers(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/peers.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range archive.Files {
		text := string(f.Data)
		lines = append(lines, compare(t, f.Name, func() (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		})...)
	}
	got := strings.Join(lines, "\n") + "\n"
	const golden = "testdata/peers.txt"
	if *updatePeers {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("the table is\n%s\nnot\n%s", got, want)
	}
	if os.Getenv("EMPIRE_LONG") != "" {
		recordPeers(t)
	}
}

// recordPeers records all small programs, and prints the table of them.
func recordPeers(t *testing.T) {
	const root = "../.."
	work := t.TempDir()
	tool := filepath.Join(work, "empire-go")
	if out, err := exec.Command("go", "build", "-o", tool, root+"/cmd/empire-go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var programs []string
	for _, pattern := range []string{"contest/*/*", "cooperable/*", "blocking/two_locks_*", "blocking/condition_*"} {
		some, _ := filepath.Glob(root + "/testdata/" + pattern + "/main.go")
		programs = append(programs, some...)
	}
	var lines []string
	for _, file := range programs {
		dir := "./" + filepath.ToSlash(strings.TrimPrefix(filepath.Dir(file), root+"/"))
		trace, std := filepath.Join(work, "trace"), filepath.Join(work, "std")
		ctx, stop := context.WithTimeout(t.Context(), perProgram)
		run := exec.CommandContext(ctx, tool, "run", "--predict", "--class", "all", "--trace", trace, "--report",
			os.DevNull, dir)
		run.Dir = root
		run.Run() // programs that fail have a trace as well
		stop()
		text, err := exec.Command(tool, "trace", "export", trace).Output()
		if err != nil || len(text) == 0 || len(text) > mostText {
			t.Logf("%s: no trace, or one of %d bytes", dir, len(text))
			continue
		}
		if err := os.WriteFile(std, text, 0o600); err != nil {
			t.Fatal(err)
		}
		os.Remove(trace)
		lines = append(lines, compare(t, strings.TrimPrefix(dir, "./testdata/"), func() (io.ReadCloser, error) {
			return os.Open(std)
		})...)
	}
	t.Log("\n" + strings.Join(lines, "\n"))
}
