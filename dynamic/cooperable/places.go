package cooperable

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/dynamic/events"
)

// Places are places at which there is a yield before each event, or before each one of an operation.
type Places struct {
	at map[string][]string // by position, or by its line: the operations; none: all
}

// ReadPlaces reads a file of yields. A line names a position, as file.go:12 or file.go:12:3 or what else a trace has
// as a place, and perhaps an operation after it: main.go:12:3 write. What follows # is a remark.
func ReadPlaces(r io.Reader) (*Places, error) {
	p := &Places{}
	return p, p.Read(r)
}

// Read adds those of a file.
func (p *Places) Read(r io.Reader) error {
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		line, _, _ := strings.Cut(s.Text(), "#")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case len(words) > 2:
			return fmt.Errorf("line %d: more than a place and an operation; write for example main.go:12:3 write", n)
		case len(words) == 2 && !isOperation(words[1]):
			return fmt.Errorf("line %d: no operation %q; write read, write, lock or another one that trace cooperable "+
				"names", n, words[1])
		}
		p.add(words[0], strings.Join(words[1:], ""))
	}
	return s.Err()
}

func isOperation(name string) bool {
	return slices.ContainsFunc(events.Table[:], func(r events.Row) bool { return r.Name == name })
}

func (p *Places) add(pos, op string) {
	if p.at == nil {
		p.at = map[string][]string{}
	}
	if !slices.Contains(p.at[pos], op) {
		p.at[pos] = append(p.at[pos], op)
	}
}

// Add adds the places of a report at which yields are needed.
func (p *Places) Add(r *Report) {
	for _, m := range r.Places {
		if m.Needed && m.Where.Pos != "" {
			p.add(m.Where.Pos, m.key.op.String())
		}
	}
}

// Line is the place as a line of a file of yields.
func (m *Missing) Line() string { return m.Where.Pos + " " + m.key.op.String() }

// Before tells of the events of a trace whether there is a yield before them.
func (p *Places) Before(s events.Source) func(e events.Event) bool {
	if p == nil || len(p.at) == 0 {
		return nil
	}
	known := map[uint32][]string{}
	return func(e events.Event) bool {
		ops, ok := known[e.Place]
		if !ok {
			pos := s.Place(e.Place).Pos
			ops = slices.Clone(p.at[pos])
			if i := strings.LastIndexByte(pos, ':'); i > 0 && strings.Contains(pos[:i], ":") {
				ops = append(ops, p.at[pos[:i]]...)
			}
			known[e.Place] = ops
		}
		return len(ops) > 0 && e.Op.Kind() != events.Nothing &&
			(slices.Contains(ops, "") || slices.Contains(ops, e.Op.String()))
	}
}

// Minimise finds out at which places a yield is needed if there is one, each time, at all others that are needed;
// those whose yields were used least are tried first. It reads the trace again for each place.
func (r *Report) Minimise(ctx context.Context, open func() (events.Source, error), o Options) error {
	order := slices.Clone(r.Places)
	slices.SortStableFunc(order, func(a, b *Missing) int { return a.Count - b.Count })
	for _, m := range order {
		m.Needed = false
		ok, err := r.suffices(ctx, open, o)
		if err != nil {
			return err
		}
		m.Needed = !ok
	}
	return nil
}

// suffices tells whether the yields at the places that are needed make the trace serializable.
func (r *Report) suffices(ctx context.Context, open func() (events.Source, error), o Options) (bool, error) {
	s, err := open()
	if err != nil {
		return false, err
	}
	needed, given := map[where]bool{}, o.Yields
	for _, m := range r.Places {
		if m.Needed {
			needed[m.key] = true
		}
	}
	o.Infer, o.Yields = false, func(e events.Event) bool {
		return needed[keyOf(s, e)] || given != nil && given(e)
	}
	again, err := Check(ctx, s, o)
	return err == nil && again.Violations == 0, err
}
