package runs

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/races"
)

var racing = flag.Int("racing", 60, "generated programs of which data races are compared")

// raceOp is a step of a generated program. Its goroutines do theirs one after the other, by the clock only, so that
// all detectors see the same order.
type raceOp struct {
	goroutine int
	kind      string // r, w, ar, aw, add, lock, unlock, rlock, runlock, send, recv
	object    int
}

// raceCase is a generated program: a function of the file that has all of them.
type raceCase struct {
	ops  []raceOp
	room int // of its channel
	line map[int]int
}

const raceGoroutines = 3

func newRaceCase(seed uint64) *raceCase {
	r := rand.New(rand.NewPCG(seed, 31))
	c := &raceCase{room: 1 + r.IntN(2), line: map[int]int{}}
	held := map[[2]int]string{} // by goroutine and lock
	writer, readers, sent := map[int]bool{}, map[int]int{}, 0
	for len(c.ops) < 12 {
		o := raceOp{goroutine: r.IntN(raceGoroutines)}
		switch n := r.IntN(14); {
		case n < 5:
			o.kind, o.object = []string{"r", "w"}[r.IntN(2)], r.IntN(2)
		case n < 7:
			o.kind = []string{"ar", "aw", "add"}[r.IntN(3)]
		case n < 11:
			o.object = r.IntN(3) // the last is for readers, too
			at := [2]int{o.goroutine, o.object}
			switch {
			case held[at] == "lock":
				o.kind, writer[o.object] = "unlock", false
				delete(held, at)
			case held[at] == "rlock":
				o.kind = "runlock"
				readers[o.object]--
				delete(held, at)
			case writer[o.object]:
				continue
			case o.object == 2 && r.IntN(2) == 0:
				o.kind, held[at] = "rlock", "rlock"
				readers[o.object]++
			case readers[o.object] > 0:
				continue
			default:
				o.kind, held[at], writer[o.object] = "lock", "lock", true
			}
		case sent < c.room && r.IntN(2) == 0:
			o.kind = "send"
			sent++
		case sent > 0:
			o.kind = "recv"
			sent--
		default:
			continue
		}
		c.ops = append(c.ops, o)
	}
	return c
}

// write writes the program, and notes the lines of its steps.
func (c *raceCase) write(out *strings.Builder, n int) {
	fmt.Fprintf(out, "func case%d(s *shared, start time.Time) {\n", n)
	for g := range raceGoroutines {
		out.WriteString("\tgo func() {\n\t\tlate, x := false, 0\n")
		for i, o := range c.ops {
			if o.goroutine != g {
				continue
			}
			fmt.Fprintf(out, "\t\tlate = at(start, %d) || late\n", i)
			c.line[strings.Count(out.String(), "\n")+1] = i
			fmt.Fprintf(out, "\t\t"+map[string]string{"r": "x += s.v%d", "w": "s.v%d = 1", "ar": "x += int(s.a%d.Load())",
				"aw": "s.a%d.Store(1)", "add": "s.a%d.Add(1)", "lock": "s.m%d.Lock()", "unlock": "s.m%d.Unlock()",
				"rlock": "s.m%d.RLock()", "runlock": "s.m%d.RUnlock()", "send": "s.c%d <- 1", "recv": "<-s.c%d"}[o.kind]+"\n",
				o.object)
		}
		fmt.Fprintf(out, "\t\tif at(start, %d); late || x < 0 {\n\t\t\tprintln(\"late\", %d)\n\t\t}\n\t}()\n",
			len(c.ops)+1, n)
	}
	out.WriteString("}\n\n")
}

const raceHead = `package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type shared struct {
	v0, v1 int
	a0     atomic.Int64
	m0, m1 sync.Mutex
	m2     sync.RWMutex
	c0     chan int
}

const slot = 30 * time.Millisecond

// at waits for a slot, and tells whether it is late.
func at(start time.Time, n int) bool {
	time.Sleep(time.Until(start.Add(time.Duration(n+1) * slot)))
	return time.Since(start) > time.Duration(n+1)*slot+slot/2
}

`

// races are the pairs of a step and a goroutine that has an earlier step with which it races, by the definition.
func (c *raceCase) races() map[string]bool {
	n := len(c.ops)
	before := make([][]bool, n)
	for i := range before {
		before[i] = make([]bool, n)
	}
	var sends, receives []int
	seen := -1 // the last atomic write
	for j, b := range c.ops {
		for i, a := range c.ops[:j] {
			same := a.object == b.object
			takes := b.kind == "lock" || b.kind == "rlock"
			before[i][j] = a.goroutine == b.goroutine || same && a.kind == "unlock" && takes ||
				same && a.kind == "runlock" && b.kind == "lock"
		}
		switch b.kind {
		case "send":
			if k := len(sends) - c.room; k >= 0 {
				before[receives[k]][j] = true
			}
			sends = append(sends, j)
		case "recv":
			before[sends[len(receives)]][j] = true
			receives = append(receives, j)
		case "ar", "add":
			if seen >= 0 {
				before[seen][j] = true
			}
		}
		if b.kind == "aw" || b.kind == "add" {
			seen = j
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				before[i][j] = before[i][j] || before[i][k] && before[k][j]
			}
		}
	}
	all := map[string]bool{}
	for j := range n {
		for i := range j {
			if (c.ops[i].kind == "w" || c.ops[j].kind == "w") && !before[i][j] && c.pair(i, j) != "" {
				all[c.pair(i, j)] = true
			}
		}
	}
	return all
}

// pair names a race: the later step, and the goroutine of the earlier one.
func (c *raceCase) pair(i, j int) string {
	i, j = min(i, j), max(i, j)
	a, b := c.ops[i], c.ops[j]
	isPlain := func(o raceOp) bool { return o.kind == "r" || o.kind == "w" }
	if !isPlain(a) || !isPlain(b) || a.object != b.object || a.goroutine == b.goroutine {
		return ""
	}
	return fmt.Sprintf("step %d with goroutine %d", j, a.goroutine)
}

// TestRacesAgainstDetector compares the data races that are found in the record of a run with those that the race
// detector of the go command finds, in generated programs: all of the detector's, and all by the definition.
func TestRacesAgainstDetector(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString(raceHead)
	var cases []*raceCase
	for n := range *racing {
		c := newRaceCase(uint64(n))
		c.write(&text, n)
		cases = append(cases, c)
	}
	text.WriteString("func main() {\n")
	for n, c := range cases {
		fmt.Fprintf(&text, "\tcase%d(&shared{c0: make(chan int, %d)}, time.Now())\n", n, c.room)
		if n%10 == 9 || n == len(cases)-1 {
			fmt.Fprintf(&text, "\ttime.Sleep(%d * slot)\n", len(c.ops)+4)
		}
	}
	text.WriteString("}\n")
	for name, content := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "main.go": text.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	byDetector, late := detected(t, dir, cases)
	recorded, later := recordedRaces(t, dir, cases)
	maps.Copy(late, later)
	compared, found, more, missed := 0, 0, 0, 0
	for n, c := range cases {
		if late[n] {
			continue
		}
		compared++
		want := c.races()
		for _, key := range slices.Sorted(maps.Keys(byDetector[n])) {
			if found++; !recorded[n][key] {
				missed++
				t.Errorf("case %d: only the detector of the go command finds %s (by the definition: %t)\n%v, room %d", n, key,
					want[key], c.ops, c.room)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(recorded[n])) {
			if !want[key] {
				t.Errorf("case %d: %s is no race\n%v, room %d", n, key, c.ops, c.room)
			} else if !byDetector[n][key] {
				more++
			}
		}
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if !recorded[n][key] {
				t.Errorf("case %d: %s is not found\n%v, room %d", n, key, c.ops, c.room)
			}
		}
	}
	t.Logf("%d of %d programs compared (the others were late); %d races by the detector of the go command, %d more here",
		compared, len(cases), found, more)
}

var (
	lateCase = regexp.MustCompile(`(?m)^late (\d+)$`)
	raceLine = regexp.MustCompile(`main\.go:(\d+)`)
)

func lateIn(text string) map[int]bool {
	all := map[int]bool{}
	for _, m := range lateCase.FindAllStringSubmatch(text, -1) {
		n, _ := strconv.Atoi(m[1])
		all[n] = true
	}
	return all
}

// add notes a race at two lines.
func add(all map[int]map[string]bool, cases []*raceCase, a, b string) {
	x, _ := strconv.Atoi(a)
	y, _ := strconv.Atoi(b)
	for n, c := range cases {
		i, isFirst := c.line[x]
		j, isSecond := c.line[y]
		if !isFirst || !isSecond {
			continue
		}
		if all[n] == nil {
			all[n] = map[string]bool{}
		}
		if key := c.pair(i, j); key != "" {
			all[n][key] = true
		}
	}
}

// detected are the races that the detector of the go command finds.
func detected(t *testing.T, dir string, cases []*raceCase) (all map[int]map[string]bool, late map[int]bool) {
	build := exec.Command("go", "build", "-race", "-o", "race.exe", ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("no race detector here: %s", out)
	}
	run := exec.Command(filepath.Join(dir, "race.exe"))
	run.Env = append(os.Environ(), "GORACE=exitcode=0 atexit_sleep_ms=0 history_size=7")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	all = map[int]map[string]bool{}
	for report := range strings.SplitSeq(string(out), "WARNING: DATA RACE") {
		report, _, _ = strings.Cut(report, "created at:")
		if lines := raceLine.FindAllStringSubmatch(report, -1); len(lines) >= 2 {
			add(all, cases, lines[0][1], lines[1][1])
		}
	}
	return all, lateIn(string(out))
}

// recordedRaces are the races that are found in the record of a run.
func recordedRaces(t *testing.T, dir string, cases []*raceCase) (all map[int]map[string]bool, late map[int]bool) {
	t.Chdir(dir)
	var stdout, stderr strings.Builder
	command.Run([]string{"run", "--cooperable", "--trace", "run.trace", "--report", "report.txt", "."}, &stdout, &stderr)
	source, err := events.Recorded(func() (io.ReadCloser, error) { return os.Open("run.trace") })
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	all = map[int]map[string]bool{}
	line := func(e events.Event) string {
		if m := raceLine.FindStringSubmatch(source.Place(e.Place).Pos); m != nil {
			return m[1]
		}
		return ""
	}
	for d := races.New(); ; {
		e, err := source.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		d.Add(e, func(r races.Race) { add(all, cases, line(r.First), line(r.Second)) })
	}
	return all, lateIn(stderr.String())
}
