package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// run is a random run: records in the order in which they happened.
func run(r *rand.Rand, goroutines, steps int) []Event {
	var (
		out      []Event
		seq      = make([]uint64, goroutines+1)
		versions [8]uint64
		live     = []uint32{1}
		next     = uint32(2)
	)
	emit := func(g uint32, rec Record) {
		out = append(out, Event{Goroutine: g, Seq: seq[g], Record: rec})
		seq[g]++
	}
	emit(1, Record{Op: Start})
	for range steps {
		g := live[r.IntN(len(live))]
		switch k := r.IntN(10); {
		case k == 0 && int(next) <= goroutines:
			emit(g, Record{Op: Go, Arg: uint64(next)})
			emit(next, Record{Op: Start, Arg: uint64(g)})
			live = append(live, next)
			next++
		case k == 1:
			emit(g, Record{Op: UnitBegin, Site: r.Uint32N(1 << 24)})
		default:
			o := 1 + r.Uint32N(7)
			emit(g, Record{Op: []Op{Read, Write, Lock, Unlock}[r.IntN(4)], Site: r.Uint32N(9), Object: o, Arg: versions[o]})
			versions[o]++
		}
	}
	for _, g := range live {
		emit(g, Record{Op: End})
	}
	return out
}

// file is the run written with random block boundaries, blocks of different goroutines in
// random order.
func file(t *testing.T, r *rand.Rand, run []Event) []byte {
	t.Helper()
	h := &Header{Sites: []Site{{}, {Pos: "a.go:1:2", Kind: "read", Field: "inner.count"}}}
	out, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	streams := map[uint32][]Event{}
	var order []uint32
	for _, e := range run {
		streams[e.Goroutine] = append(streams[e.Goroutine], e)
		order = append(order, e.Goroutine)
	}
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, g := range order {
		s := streams[g]
		n := min(len(s), 1+r.IntN(20))
		if n == 0 {
			continue
		}
		b := make([]byte, BlockHeader+n*RecordSize)
		for i, e := range s[:n] {
			PutRecord(b[BlockHeader+i*RecordSize:], e.Record)
		}
		SealBlock(b, g, s[0].Seq)
		out = append(out, b...)
		streams[g] = s[n:]
	}
	for g := uint32(1); len(streams) > 0; g++ {
		for s := streams[g]; len(s) > 0; s = s[1:] {
			b := make([]byte, BlockHeader+RecordSize)
			PutRecord(b[BlockHeader:], s[0].Record)
			SealBlock(b, g, s[0].Seq)
			out = append(out, b...)
		}
		delete(streams, g)
	}
	return out
}

// read reads a whole file and checks that the events come in a permitted order.
func read(t *testing.T, data io.Reader) ([]Event, Stats) {
	t.Helper()
	r, err := NewReader(data)
	if err != nil {
		t.Fatal(err)
	}
	var (
		out      []Event
		seq      = map[uint32]uint64{}
		versions = map[uint32]uint64{}
		started  = map[uint32]bool{}
	)
	for {
		e, err := r.Read()
		if err == io.EOF {
			return out, r.Stats()
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
		if e.Seq != seq[e.Goroutine] {
			t.Fatalf("event %d: goroutine %d has sequence number %d, not %d", len(out), e.Goroutine, e.Seq, seq[e.Goroutine])
		}
		seq[e.Goroutine]++
		if e.Op.Versioned() {
			if e.Arg != versions[e.Object] {
				t.Fatalf("event %d: object %d has version %d, not %d", len(out), e.Object, e.Arg, versions[e.Object])
			}
			versions[e.Object]++
		}
		if e.Op == Start && e.Arg != 0 && !started[e.Goroutine] {
			t.Fatalf("event %d: goroutine %d starts before it is announced", len(out), e.Goroutine)
		}
		if e.Op == Go {
			started[uint32(e.Arg)] = true
		}
	}
}

func TestMerge(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		events := run(r, 1+r.IntN(6), r.IntN(400))
		got, stats := read(t, bytes.NewReader(file(t, r, events)))
		if len(got) != len(events) || !stats.Whole() || stats.Open != 0 || stats.Held != 0 {
			t.Fatalf("seed %d: %d of %d events, %+v", seed, len(got), len(events), stats)
		}
	}
}

// TestKilled cuts files off anywhere: what is read is in order, the rest is counted.
func TestKilled(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		events := run(r, 1+r.IntN(6), r.IntN(200))
		whole := file(t, r, events)
		begin := fileHeader + int(binary.LittleEndian.Uint32(whole[len(Magic)+4:]))
		cut := begin + r.IntN(len(whole)-begin)
		got, stats := read(t, bytes.NewReader(whole[:cut]))
		if have := uint64(len(got)) + stats.Unordered; have > uint64(len(events)) || stats.Damaged > 0 ||
			stats.Torn >= BlockHeader+20*RecordSize {
			t.Fatalf("seed %d: %d events, %+v", seed, len(got), stats)
		}
	}
}

// TestDamaged changes single bytes: the block is skipped and counted, and what needs it is
// not yielded.
func TestDamaged(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		events := run(r, 1+r.IntN(6), 50+r.IntN(200))
		data := file(t, r, events)
		begin := fileHeader + int(binary.LittleEndian.Uint32(data[len(Magic)+4:]))
		at := begin + r.IntN(len(data)-begin)
		data[at] ^= byte(1 + r.IntN(255))
		got, stats := read(t, bytes.NewReader(data))
		if stats.Whole() || stats.Damaged > 1 || uint64(len(got))+stats.Unordered >= uint64(len(events)) {
			t.Fatalf("seed %d: %d of %d events, %+v", seed, len(got), len(events), stats)
		}
		if lost := uint64(len(events)-len(got)) - stats.Unordered; lost > 20 && stats.Torn == 0 {
			t.Fatalf("seed %d: one block is damaged and %d records are lost, %+v", seed, lost, stats)
		}
	}
}

func TestHeaderErrors(t *testing.T) {
	whole := file(t, rand.New(rand.NewPCG(1, 1)), run(rand.New(rand.NewPCG(1, 1)), 1, 1))
	newer := bytes.Clone(whole)
	newer[len(Magic)] = Version + 1
	damaged := bytes.Clone(whole)
	damaged[fileHeader+3]++
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":   {nil, "the file is empty"},
		"other":   {[]byte("package main"), "does not begin with"},
		"short":   {whole[:6], "does not begin with"},
		"newer":   {newer, "has format 2, this empire-go reads 1"},
		"damaged": {damaged, "header is damaged"},
		"cut":     {whole[:fileHeader+4], "header is damaged"},
	} {
		_, err := NewReader(bytes.NewReader(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPipe reads a file that is still being written: each event comes as soon as its block.
func TestPipe(t *testing.T) {
	pr, pw := io.Pipe()
	step := make(chan bool)
	go func() {
		w, _ := NewWriter(pw, &Header{})
		for i := range uint64(3) {
			w.Append(1, Record{Op: Write, Object: 1, Arg: i})
			w.Flush()
			<-step
		}
		pw.Close()
	}()
	r, err := NewReader(pr)
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint64(3) {
		if e, err := r.Read(); err != nil || e.Arg != i {
			t.Fatal(e, err)
		}
		select {
		case step <- true:
		case <-time.After(time.Minute):
			t.Fatal("the reader waits for more than it needs")
		}
	}
	if _, err := r.Read(); err != io.EOF {
		t.Fatal(err)
	}
}

// TestMemory reads a long file: what is held does not grow with it.
func TestMemory(t *testing.T) {
	var out bytes.Buffer
	w, _ := NewWriter(&out, &Header{})
	for i := range uint64(200_000) {
		w.Append(uint32(1+i%3), Record{Op: RMW, Object: 1, Arg: i})
	}
	w.Close()
	if got, stats := read(t, &out); len(got) != 200_000 || stats.MaxHeld > 10*writerBlock {
		t.Errorf("%d events, %+v", len(got), stats)
	}
}

// TestFormatStandsAlone compiles format.go without the rest of the package.
func TestFormatStandsAlone(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "format.go", FormatSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("trace", fset, []*ast.File{f}, nil); err != nil {
		t.Fatal(err)
	}
	for _, i := range f.Imports {
		if strings.Contains(i.Path.Value, ".") {
			t.Errorf("imports %s", i.Path.Value)
		}
	}
}

func TestOps(t *testing.T) {
	for op := Op(1); op < opEnd; op++ {
		if op.String() == "" {
			t.Errorf("operation %d has no name", op)
		}
	}
	r := Record{Op: RMW, Site: 1<<24 - 1, Object: 1<<32 - 1, Arg: 1<<64 - 1}
	var b [RecordSize]byte
	PutRecord(b[:], r)
	if GetRecord(b[:]) != r {
		t.Error(GetRecord(b[:]))
	}
}

// TestObjectsEnd reads the end of an object that comes before the object's last records, and the
// beginning of a block that comes before the block.
func TestObjectsEnd(t *testing.T) {
	out, err := (&Header{Sites: []Site{{}}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	add := func(g uint32, first uint64, records ...Record) {
		block := make([]byte, BlockHeader, BlockHeader+len(records)*RecordSize)
		for _, rec := range records {
			block = append(block, make([]byte, RecordSize)...)
			PutRecord(block[len(block)-RecordSize:], rec)
		}
		SealBlock(block, g, first)
		out = append(out, block...)
	}
	write := func(o uint32, version uint64) Record { return Record{Op: Write, Object: o, Arg: version} }
	add(1, 0, Record{Op: ObjectGone, Object: 7, Arg: 2}, write(8, 0))
	add(2, 0, write(8, 1), write(7, 1))
	add(3, 0, write(7, 0))
	add(3, 0, write(7, 0), write(8, 2), write(7, 2)) // of an object that was thought to be gone
	for o := uint32(pageSize); o < 2*pageSize; o++ {
		add(1, 2+2*uint64(o-pageSize), write(o, 0), Record{Op: ObjectGone, Object: o, Arg: 1})
	}
	r, err := NewReader(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	var got []Record
	for {
		e, err := r.Read()
		if err != nil {
			break
		}
		got = append(got, e.Record)
	}
	want := []Record{write(8, 0), write(8, 1), write(7, 0), write(7, 1), {Op: ObjectGone, Object: 7, Arg: 2}, write(8, 2),
		write(7, 2)}
	if len(got) < len(want) || !r.Stats().Whole() || r.Stats().Events != uint64(7+2*pageSize) {
		t.Fatalf("%+v", r.Stats())
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%v is missing", w)
		}
	}
	if at := func(w Record) int {
		return slices.Index(got, w)
	}; at(write(7, 1)) > at(want[4]) || at(write(7, 0)) > at(write(7, 1)) {
		t.Errorf("the order is %v", got[:len(want)])
	}
	if r.objects[0].pages[1] != r.objects[0].freed || r.objects[0].freed == nil {
		t.Error("the page of objects that are gone was not freed")
	}
}
