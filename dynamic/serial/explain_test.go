package serial

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace/std"
)

// text is a trace as a file; lines count from 1, and their places are their lines.
func text(events []std.Event) []byte {
	var out []byte
	for i, e := range events {
		l := std.Line{Thread: threadName(int(e.Thread)), Op: e.Op, Place: strconv.Itoa(i + 1)}
		switch e.Op {
		case std.Read, std.Write:
			l.Operand = "V" + strconv.Itoa(int(e.Operand))
		case std.Acquire, std.Release, std.ReadAcquire, std.ReadRelease, std.Prewait, std.Postwait, std.Notify:
			l.Operand = "L" + strconv.Itoa(int(e.Operand))
		case std.Send, std.Receive, std.Close, std.Presend, std.Postsend:
			l.Operand = "C" + strconv.Itoa(int(e.Operand))
		case std.Fork, std.Join:
			l.Operand = threadName(int(e.Operand))
		}
		out = l.AppendTo(out)
	}
	return out
}

// TestExplain: the graph has a cycle where the sets say, and each edge of it is one by the definition.
func TestExplain(t *testing.T) {
	explained := 0
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 13))
		events := possible(random(r, randomShape(r)))
		file := text(events)
		result, err := check(context.Background(), std.NewScanner(bytes.NewReader(file)),
			pace{atLeast: 100, every: 100, marks: 1 + r.IntN(5)})
		if err != nil {
			t.Fatal(err)
		}
		if first := firstCycle(t, file); first != result.Line {
			t.Fatalf("seed %d: line %d closes the first cycle, not %d", seed, first, result.Line)
		}
		if result.Serializable {
			cycle, err := Explain(context.Background(), bytes.NewReader(file), result)
			if cycle != nil || err == nil || result.Line != 0 {
				t.Fatalf("seed %d: %v, %v", seed, cycle, err)
			}
			continue
		}
		explained++
		cycle, err := Explain(context.Background(), bytes.NewReader(file), result)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, file)
		}
		numbered := parse(t, file)
		for i, e := range cycle {
			next := cycle[(i+1)%len(cycle)]
			if len(cycle) < 2 || e.Before.Number >= e.After.Number ||
				!ordered(numbered[e.Before.Number-1], numbered[e.After.Number-1]) {
				t.Fatalf("seed %d: edge %d of %+v is none\n%s", seed, i, cycle, file)
			}
			if !within(e.From, e.Before) || !within(next.From, e.After) {
				t.Fatalf("seed %d: edge %d of %+v is not between its transactions\n%s", seed, i, cycle, file)
			}
		}
		if last := cycle[len(cycle)-1].After.Number; last != result.Line {
			t.Fatalf("seed %d: line %d closes the cycle, not %d", seed, last, result.Line)
		}
	}
	if explained < 1500 {
		t.Errorf("only %d cycles", explained)
	}
}

// firstCycle returns the line that closes the first cycle of the graph of a trace, 0 if there is none.
func firstCycle(t *testing.T, file []byte) int {
	t.Helper()
	s, x := std.NewScanner(bytes.NewReader(file)), &explainer{}
	for {
		e, err := s.Next()
		switch {
		case err == io.EOF:
			return 0
		case err != nil:
			t.Fatal(err)
		case x.step(e, true) != nil:
			return e.Line
		}
	}
}

func within(t Transaction, e Event) bool {
	return e.Text.Thread == t.Thread && e.Number >= t.Begin.Number && (t.End == 0 || e.Number <= t.End) &&
		(!t.Unary || e.Number == t.Begin.Number)
}

// TestLong: on traces of thousands of events, the graph and the sets agree.
func TestLong(t *testing.T) {
	violations := 0
	for seed := range uint64(8) {
		for _, m := range mixes {
			m.threads = 4 + int(seed)*12
			file := m.text(seed, 20_000)
			result, err := Check(context.Background(), std.NewScanner(bytes.NewReader(file)))
			if err != nil || !result.Serializable {
				t.Fatalf("%s, seed %d: %+v, %v", m.name, seed, result, err)
			}
			if line := firstCycle(t, file); line != 0 {
				t.Fatalf("%s, seed %d: line %d closes a cycle", m.name, seed, line)
			}
			m.disorder = 3000
			file = m.text(seed, 20_000)
			if result, err = Check(context.Background(), std.NewScanner(bytes.NewReader(file))); err != nil {
				t.Fatalf("%s, seed %d: %v", m.name, seed, err)
			}
			if line := firstCycle(t, file); line != result.Line {
				t.Fatalf("%s, seed %d: line %d closes the first cycle, not %d", m.name, seed, line, result.Line)
			}
			cycle, err := Explain(context.Background(), bytes.NewReader(file), result)
			if (cycle == nil) != result.Serializable {
				t.Fatalf("%s, seed %d: %+v, %v", m.name, seed, result, err)
			}
			if cycle != nil {
				violations++
			}
		}
	}
	if violations < 10 {
		t.Errorf("only %d violations", violations)
	}
}
