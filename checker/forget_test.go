package checker

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/empire-go/empire-go/esl"
)

// TestAgainstInterpreterForget is about reads that are forgotten: in loops, by
// another activation of the same function, and after the unit.
func TestAgainstInterpreterForget(t *testing.T) { compare(t, 150, forgetful) }

// forgetful returns a program of a reader and a writer. The reader's functions have
// few keys in common, call one another, and the last of them itself at times.
func forgetful(seed uint64) *esl.Program {
	r := rand.New(rand.NewPCG(seed, 0xf09e7))
	p := &esl.Program{
		Name:      fmt.Sprintf("forgetful %d", seed),
		Objects:   []esl.Object{{Name: "w"}},
		Locations: []esl.Location{{Name: "a"}, {Name: "b"}},
		Processes: []esl.Process{{Name: "reader", Copies: 1, Initial: true},
			{Name: "writer", Entry: 1, Copies: 1, Initial: true}},
	}
	const outer, inner = 2, 3
	main := &reader{Rand: r, callees: []int{outer}}
	main.unit("Read", 2)
	if r.IntN(3) == 0 {
		main.unit("Read", 1)
	}
	o, i := &reader{Rand: r, callees: []int{inner}}, &reader{Rand: r}
	if r.IntN(4) == 0 {
		i.callees = []int{inner}
	}
	o.block(3, 1)
	i.block(3, 1)
	writer := &reader{Rand: r}
	writer.emit(esl.Stmt{Op: esl.UnitBegin, Unit: "Write"})
	for range 1 + r.IntN(3) {
		writer.emit(esl.Stmt{Op: esl.Access, Arg: r.IntN(2),
			Access: []esl.AccessKind{esl.Write, esl.Write, esl.RMW}[r.IntN(3)]})
	}
	writer.emit(esl.Stmt{Op: esl.UnitEnd})
	for k, b := range []*reader{main, writer, o, i} {
		p.Functions = append(p.Functions, esl.Function{Name: []string{"reader", "writer", "outer", "inner"}[k], Body: b.body})
	}
	return p
}

// reader writes the body of one function.
type reader struct {
	*rand.Rand
	callees []int
	body    []esl.Stmt
}

func (b *reader) emit(s esl.Stmt) { b.body = append(b.body, s) }

func (b *reader) key() string { return []string{"k", "l"}[b.IntN(2)] }

func (b *reader) unit(label string, depth int) {
	b.emit(esl.Stmt{Op: esl.UnitBegin, Unit: label})
	b.block(4, depth)
	b.emit(esl.Stmt{Op: esl.UnitEnd})
	if b.IntN(3) == 0 {
		b.emit(esl.Stmt{Op: esl.Forget, Key: b.key()})
	}
}

// block writes up to n statements, with loops and branches nested up to depth.
func (b *reader) block(n, depth int) {
	for range 1 + b.IntN(n) {
		switch k := b.IntN(13); {
		case k < 5:
			s := esl.Stmt{Op: esl.Access, Arg: b.IntN(2),
				Access: []esl.AccessKind{esl.Read, esl.Read, esl.Read, esl.RMW, esl.Write}[b.IntN(5)]}
			if s.Access.Reads() && b.IntN(4) > 0 {
				s.Key = b.key()
			}
			b.emit(s)
		case k < 8:
			b.emit(esl.Stmt{Op: esl.Forget, Key: b.key()})
		case k < 9 && depth > 0: // a loop
			head := len(b.body)
			b.block(2, depth-1)
			b.emit(esl.Stmt{Op: esl.Choice, Targets: []int{head, len(b.body) + 1}})
		case k < 10 && depth > 0: // a branch
			at := len(b.body)
			b.emit(esl.Stmt{Op: esl.Choice})
			b.block(2, depth-1)
			b.body[at].Targets = []int{at + 1, len(b.body)}
		case len(b.callees) > 0: // at times between a read and its Forget
			key := b.key()
			around := b.IntN(2) == 0
			if around {
				b.emit(esl.Stmt{Op: esl.Access, Arg: b.IntN(2), Key: key})
				defer b.emit(esl.Stmt{Op: esl.Forget, Key: key})
			}
			b.emit(esl.Stmt{Op: esl.Call, Arg: b.callees[b.IntN(len(b.callees))]})
		}
	}
}
