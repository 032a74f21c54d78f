package runs

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
	"github.com/empire-go/empire-go/dynamic/cooperable"
	"github.com/empire-go/empire-go/dynamic/events"
)

// TestGaps runs programs, and infers the yields that the accesses to a checked atomic set need, with each call of a
// unit of work a transaction: they lie in the gaps that the model checker has found. EMPIRE_LONG=1 runs more programs.
func TestGaps(t *testing.T) {
	programs := []string{"contest/account/racefree"}
	if os.Getenv("EMPIRE_LONG") != "" {
		programs = append(programs, "vector", "contest/airlines/racefree", "contest/shop/faithful")
	}
	for _, program := range programs {
		t.Run(strings.ReplaceAll(program, "/", "_"), func(t *testing.T) {
			dir := "../../../testdata/" + program
			var static struct {
				Gaps []struct {
					Type   string
					Fields []string
					Places []struct{ Pos string }
				}
			}
			empireGo(t, &static, "yields", "--format", "json", dir)
			places, fields := map[string]bool{}, map[string]bool{}
			for _, g := range static.Gaps {
				for _, f := range g.Fields {
					fields[f] = true
				}
				for _, p := range g.Places {
					places[p.Pos] = true
				}
			}
			inferred := 0
			for seed := range 3 {
				for _, m := range inferredIn(t, dir, seed+1, fields) {
					inferred++
					if !places[m.Where.Pos] {
						t.Errorf("seed %d: a yield is needed before %s at %s, which is in no gap", seed+1, m.Event.Text, m.Where.Pos)
					}
				}
			}
			t.Logf("%d gaps, %d yields inferred", len(static.Gaps), inferred)
		})
	}
}

// inferredIn runs a program and infers the yields that accesses to some fields need.
func inferredIn(t *testing.T, dir string, seed int, fields map[string]bool) []*cooperable.Missing {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace")
	var stdout, stderr strings.Builder
	command.Run([]string{"run", "--cooperable", "--seed", strconv.Itoa(seed), "--trace", file, dir}, &stdout, &stderr)
	src, err := events.Recorded(func() (io.ReadCloser, error) { return os.Open(file) })
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	u := &unitsOnly{Source: src, fields: fields, depth: map[uint32]int{}, between: map[uint32]bool{}}
	r, err := cooperable.Check(context.Background(), u, cooperable.Options{Infer: true, Yields: u.yields})
	if err != nil || r.Cut != "" {
		t.Fatal(err, r.Cut)
	}
	return r.Places
}

// unitsOnly is a trace without accesses to others than some fields, and without locks and messages, whose order
// is nothing that a reader of the fields sees.
type unitsOnly struct {
	events.Source
	fields  map[string]bool
	depth   map[uint32]int  // by thread: calls that are open, but of main
	between map[uint32]bool // by thread: it is in no unit
}

func (u *unitsOnly) Next() (events.Event, error) {
	for {
		e, err := u.Source.Next()
		if err != nil {
			return e, err
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(u.Text(e), e.Op.String()+" "), " of ")
		switch kind := e.Op.Kind(); {
		case kind == events.Variable && !u.fields[name]:
		case kind == events.Nothing, kind == events.Variable, kind == events.Thread:
			return e, nil
		}
	}
}

// yields tells whether a unit begins or has ended: the outermost function of a goroutine, or that main calls.
func (u *unitsOnly) yields(e events.Event) bool {
	isMain := strings.HasSuffix(u.Place(e.Place).Function, ".main")
	begins := u.between[e.Thread] || u.depth[e.Thread] == 0
	switch {
	case slices.Contains([]events.Op{events.Enter, events.Leave}, e.Op) && isMain && u.depth[e.Thread] == 0:
	case e.Op == events.Enter:
		u.depth[e.Thread]++
	case e.Op == events.Leave:
		u.depth[e.Thread] = max(0, u.depth[e.Thread]-1)
	}
	u.between[e.Thread] = u.depth[e.Thread] == 0
	return begins
}
