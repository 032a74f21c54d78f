package units

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/automata"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// TestRecords runs the files of testdata. A file is records, a line "--", and the events of
// units that they mean. A record is
//
//	g1 begin method (*T).Set o1      a frame: kind, function, receiver ("-" for none)
//	g1 with o2
//	g1 split                          of the innermost direct frame
//	g1 end
//	g1 read a o1 [pos]                write, rmw: by the code of the innermost frame
//	g1 read a o1 in f [pos]           by that of another function
//	g1 go g2, g1 exit                 goroutines
//	g1 done w, g1 wait w              and send, recv, close, lock, unlock
//	g1 made o1, g1 escape o1
//
// and before the first record there may be
//
//	vars                              the set is package variables
//	passing a pos: pos pos            what is known of reads of a at a position: where they matter
//	listed a pos                      an access that the static half knows
//	counts a pos                      increments
//
// The set has the fields a, b and c. An event is "u1 R a o1", with what a read is forgotten
// by; units are numbered as they begin, which is shown with the function and object.
func TestRecords(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			records, want, ok := strings.Cut(string(text), "\n--\n")
			if !ok {
				t.Fatal("no line -- in it")
			}
			got := runRecords(t, records)
			if strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("the events are\n%s\nnot\n%s", got, want)
			}
		})
	}
}

// recorder is a Sink that writes down what it is told.
type recorder struct {
	header *trace.Header
	out    strings.Builder
	count  int
	number map[*automata.Unit]int
}

func (r *recorder) Begin(goroutine uint32, data any) *automata.Unit {
	r.count++
	u := &automata.Unit{Goroutine: goroutine, Data: data}
	r.number[u] = r.count
	of := data.(*Unit)
	fmt.Fprintf(&r.out, "u%d begins: g%d %s on o%d\n", r.count, goroutine, r.header.Sites[of.Frame.Site].Function,
		of.Object)
	return u
}

func (r *recorder) Access(u *automata.Unit, a automata.Access) {
	fmt.Fprintf(&r.out, "u%d %s %c o%d", r.number[u], [...]string{"R", "W", "RMW", "INC"}[a.Kind],
		'a'+rune(a.Location.Field), a.Location.Object)
	if a.Token != 0 {
		fmt.Fprintf(&r.out, " token %d", a.Token)
	}
	if a.Forgets != 0 {
		fmt.Fprintf(&r.out, " forgets %b", a.Forgets)
	}
	r.out.WriteByte('\n')
}

func (r *recorder) Fork(u *automata.Unit, child uint32) {
	fmt.Fprintf(&r.out, "u%d starts g%d\n", r.number[u], child)
}

func (r *recorder) Join(u *automata.Unit, child uint32) {
	fmt.Fprintf(&r.out, "u%d joins g%d\n", r.number[u], child)
}

func (r *recorder) End(u *automata.Unit) { fmt.Fprintf(&r.out, "u%d ends\n", r.number[u]) }

var ops = map[string]trace.Op{
	"begin": trace.UnitBegin, "with": trace.UnitWith, "split": trace.UnitSplit, "end": trace.UnitEnd,
	"read": trace.Read, "write": trace.Write, "rmw": trace.RMW, "go": trace.Go, "exit": trace.End,
	"done": trace.Done, "wait": trace.Wait, "send": trace.Send, "recv": trace.Recv, "close": trace.Close,
	"offer": trace.Offer, "declined": trace.Declined,
	"lock": trace.Lock, "unlock": trace.Unlock, "made": trace.ObjectMade, "escape": trace.Escape,
}

func runRecords(t *testing.T, text string) string {
	header := &trace.Header{Sites: []trace.Site{{}}}
	plan := &watch.Plan{Schema: watch.Schema, Sets: []watch.Set{{Type: "p.T", Fields: []string{"a", "b", "c"}}}}
	var events []trace.Event
	site := func(s trace.Site) uint32 {
		i := slices.Index(header.Sites, s)
		if i < 0 {
			i = len(header.Sites)
			header.Sites = append(header.Sites, s)
		}
		return uint32(i)
	}
	number := func(word string) uint32 {
		n, _ := strconv.Atoi(strings.TrimLeft(word, "gow-"))
		return uint32(n)
	}
	stacks := map[uint32][]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		switch words[0] {
		case "vars":
			plan.Sets[0] = watch.Set{Fields: []string{"a", "b", "c"}, Vars: []string{"v:a", "v:b", "v:c"}}
			continue
		case "passing", "listed", "counts":
			a := watch.Access{Field: words[1], Pos: strings.TrimSuffix(words[2], ":"), Until: words[3:],
				Passing: words[0] == "passing", Counts: words[0] == "counts"}
			plan.Accesses = append(plan.Accesses, a)
			continue
		}
		g := number(words[0])
		e := trace.Event{Goroutine: g, Record: trace.Record{Op: ops[words[1]]}}
		stack := stacks[g]
		switch words[1] {
		case "made":
			e.Site, e.Object = site(trace.Site{Kind: "type", Field: "p.T"}), number(words[2])
		case "begin":
			e.Site, e.Object = site(trace.Site{Kind: words[2], Function: words[3]}), number(words[4])
			stacks[g] = append(stack, words[3])
		case "end":
			stacks[g] = stack[:len(stack)-1]
		case "split":
			for i := len(stack) - 1; e.Site == 0; i-- {
				e.Site = uint32(max(0, slices.Index(header.Sites, trace.Site{Kind: "direct", Function: stack[i]})))
			}
		case "read", "write", "rmw":
			s := trace.Site{Kind: words[1], Field: words[2]}
			rest := words[4:]
			if len(stack) > 0 {
				s.Function = stack[len(stack)-1]
			}
			if len(rest) > 1 && rest[0] == "in" {
				s.Function, rest = rest[1], rest[2:]
			}
			s.Pos = strings.Join(rest, "")
			e.Site, e.Object = site(s), number(words[3])
		case "go":
			e.Arg = uint64(number(words[2]))
		case "exit":
		default:
			if e.Op == 0 {
				t.Fatalf("no such record: %s", line)
			}
			e.Object = number(words[2])
		}
		events = append(events, e)
	}
	r := &recorder{header: header, number: map[*automata.Unit]int{}}
	tracker := New(header, plan, r)
	for _, e := range events {
		tracker.Add(e)
	}
	tracker.Close()
	return r.out.String()
}
