package record

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// racingProgram counts without any synchronisation, in a field, a variable, an element and a local variable, and prints
// what comes of it.
const racingProgram = `package main

import (
	"fmt"
	"runtime"
	"sync"
)

type S struct {
	n     int
	cells [2]int
}

var total int

func main() {
	s, local := &S{}, 0
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 3000 {
				s.n++
				total = total + 1
				s.cells[1] += 1
				local++
				if i%100 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	all.Wait()
	fmt.Println(s.n, total, s.cells[1], local)
}
`

// TestExact replays the record of a program whose accesses race: with what each write has written after the read before
// it, in the order of the record, the end is that of the program.
func TestExact(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/racing\n\ngo 1.25\n")
	write(t, filepath.Join(dir, "main.go"), racingProgram)
	p, err := Make(ctx, Build{Dir: dir, Packages: []string{"."}, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	file, err := p.Main(ctx)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for range 3 {
		var stdout bytes.Buffer
		counts := map[string]int{} // by the text of the line
		_, err = p.Record(ctx, Run{File: file, Dir: dir, Stdout: &stdout, Stderr: io.Discard}, func(in io.Reader) error {
			return replay(in, counts)
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range strings.Fields(stdout.String()) {
			line := strconv.Itoa([]int{22, 23, 24, 25}[i])
			if got := strconv.Itoa(counts[line]); got != text {
				t.Errorf("line %s: %s by the record, %s in the program", line, got, text)
			}
			lost += 12000 - counts[line]
		}
	}
	t.Logf("%d updates lost", lost)
}

// replay counts as the program does, by the line of the write.
func replay(in io.Reader, counts map[string]int) error {
	r, err := trace.NewReader(in)
	if err != nil {
		return err
	}
	type location struct {
		object uint32
		field  string
	}
	type goroutine struct {
		location
		number uint32
	}
	values, seen := map[location]int{}, map[goroutine]int{}
	for {
		e, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		at := location{e.Object, r.Header().Site(e.Site).Field}
		switch e.Op {
		case trace.Read:
			seen[goroutine{at, e.Goroutine}] = values[at]
		case trace.Write:
			values[at] = seen[goroutine{at, e.Goroutine}] + 1
			counts[strings.Split(r.Header().Site(e.Site).Pos, ":")[1]] = values[at]
		}
	}
}
