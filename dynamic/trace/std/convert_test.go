package std

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
)

func imports(text string) ([]byte, error) {
	var out bytes.Buffer
	err := Import(func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }, &out)
	return out.Bytes(), err
}

func exports(t *testing.T, data []byte) string {
	t.Helper()
	r, err := trace.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := Export(r, &out); err != nil {
		t.Fatal(err)
	}
	if !r.Stats().Whole() || r.Stats().Open > 0 {
		t.Fatalf("%+v", r.Stats())
	}
	return out.String()
}

// checkRoundTrip compares what was imported and exported again: the events of each thread, and
// of each variable, lock and thread, come in the same order.
func checkRoundTrip(t *testing.T, text string) {
	t.Helper()
	data, err := imports(text)
	if err != nil {
		return
	}
	before, _ := scan(text)
	after, err := scan(exports(t, data))
	if err != nil {
		t.Fatal(err)
	}
	views := func(lines []Line) map[string][]Line {
		m := map[string][]Line{}
		for _, l := range lines {
			of := []string{"thread " + l.Thread}
			switch operands[l.Op] {
			case lock:
				of = append(of, "lock "+l.Operand)
			case variable:
				of = append(of, "variables")
			case thread:
				of = append(of, "thread "+l.Operand)
			case channel:
				of = append(of, "channel "+l.Operand)
			}
			for _, view := range of {
				m[view] = append(m[view], l)
			}
		}
		return m
	}
	a, b := views(before), views(after)
	for view, lines := range a {
		if !slices.Equal(lines, b[view]) {
			t.Errorf("%s:\n%v, not\n%v", view, b[view], lines)
		}
	}
	if len(before) != len(after) {
		t.Errorf("%d events, not %d", len(after), len(before))
	}
}

const sample = "T0|fork(T1)|1\nT0|begin|2\nT0|r(V1)|3\nT1|begin\nT1|acq(L)|5\n" +
	"T1|w(V1)|6\nT1|rel(L)|7\nT1|end|8\nT0|w(V2)|9\nT0|end|10\n" +
	"T0|yield|42\nT1|racq(L)|1\nT1|rrel(L)|1\nT0|acq(L)\nT0|prewait(L)\nT1|notify(L)\nT0|postwait(L)\nT0|rel(L)\n" +
	"T0|snd(C)\nT1|rcv(C)\nT0|presnd(D)\nT1|rcv(D)\nT0|postsnd(D)\nT0|cls(C)\nT0|join(T1)|11\n"

func TestRoundTrip(t *testing.T) {
	checkRoundTrip(t, sample)
	checkRoundTrip(t, "A|join(B)|x\nA|fork(C)\n")
	if data, err := imports(sample); err != nil || !strings.Contains(exports(t, data), "T1|w(V1)|6\n") {
		t.Error(err)
	}
}

func TestImportErrors(t *testing.T) {
	for text, want := range map[string]string{
		"A|w(V)\nB|fork(A)":    "line 2: A is forked and had events before, the last one at line 1; leave the fork out",
		"B|fork(A)\nB|fork(A)": "line 2: A is forked a second time",
		"B|join(A)\nA|w(V)":    "line 2: A goes on after the join at line 1; leave the join out",
		"A|join(A)":            "line 1: A joins itself",
		"A|w(V)\nA|x(V)":       "line 2: no operation",
	} {
		if _, err := imports(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}

// TestExportRecorded exports what no STD file has.
func TestExportRecorded(t *testing.T) {
	var data bytes.Buffer
	w, err := trace.NewWriter(&data, &trace.Header{
		Sites: []trace.Site{{}, {Pos: "a.go:1:2", Kind: "read", Field: "inner.n"}, {Kind: "rlock"},
			{Kind: "read", Set: -1, Field: "all[i|1]"}, {Kind: "write", Set: -1, Field: "*p"}}})
	if err != nil {
		t.Fatal(err)
	}
	versions := map[uint32]uint64{}
	add := func(g uint32, op trace.Op, site, object uint32) {
		r := trace.Record{Op: op, Site: site, Object: object}
		if op.Versioned() {
			r.Arg = versions[object]
			versions[object]++
		}
		w.Append(g, r)
	}
	w.Append(1, trace.Record{Op: trace.Start})
	add(1, trace.Add, 0, 3)
	w.Append(1, trace.Record{Op: trace.Go, Arg: 2})
	w.Append(2, trace.Record{Op: trace.Start, Arg: 1})
	add(2, trace.UnitBegin, 0, 0)
	add(2, trace.RMW, 1, 1)
	add(2, trace.UnitSplit, 0, 0)
	add(2, trace.RLock, 2, 2)
	add(2, trace.RUnlock, 2, 2)
	add(2, trace.UnitEnd, 0, 0)
	add(2, trace.Read, 3, 9) // one location by two names
	add(2, trace.Write, 4, 9)
	add(2, trace.Send, 0, 4)
	add(2, trace.Done, 0, 3)
	w.Append(2, trace.Record{Op: trace.End})
	add(1, trace.Recv, 0, 4)
	add(1, trace.Wait, 0, 3)
	add(1, trace.Lock, 0, 2)
	add(1, trace.AtomicWrite, 1, 1)
	add(1, trace.Unlock, 0, 2)
	w.Append(1, trace.Record{Op: trace.End})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const want = "G1|fork(G2)\nG2|begin\nG2|r(o1.inner.n)|a.go:1:2\n" +
		"G2|w(o1.inner.n)|a.go:1:2\nG2|end\nG2|begin\nG2|r(L2.readers)\nG2|r(L2.readers)\nG2|end\n" +
		"G2|r(o9)\nG2|w(o9)\nG2|w(s4.1)\nG2|w(s3.1)\nG1|r(s4.1)\nG1|r(s3.1)\nG1|acq(L2)\n" +
		"G1|w(L2.readers)\nG1|w(o1.inner.n)|a.go:1:2\nG1|w(L2.readers)\nG1|rel(L2)\n"
	if got := exports(t, data.Bytes()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// FuzzImport: what can be imported comes back.
func FuzzImport(f *testing.F) {
	f.Add(sample)
	f.Add("A|join(B)|x\nA|fork(C)\nC|begin|\nC|end")
	f.Fuzz(func(t *testing.T, text string) { checkRoundTrip(t, text) })
}
