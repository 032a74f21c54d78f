package atomicity

import (
	"go/constant"
	"go/token"
	"strconv"
	"strings"
)

// term is a value by what it is computed from: constants, the arguments of the unit, what memory held
// at some moment, and operations on these, of which nothing is known but that they are functions.
type term int32

type node struct {
	op     string
	args   []term
	value  constant.Value // of a constant
	offset int64          // of "+": the constant that is added to its only argument
}

// pool has all terms, each once.
type pool struct {
	nodes   []node
	known   map[string]term
	holders map[term]term // the address that a map or slice was loaded from
}

// The terms that every pool begins with.
const (
	falseTerm term = iota
	trueTerm
	nilTerm
)

func newPool() *pool {
	p := &pool{known: map[string]term{}, holders: map[term]term{}}
	p.constant(constant.MakeBool(false))
	p.constant(constant.MakeBool(true))
	p.add(node{op: "nil"}, "nil")
	return p
}

func (p *pool) add(n node, key string) term {
	if t, ok := p.known[key]; ok {
		return t
	}
	t := term(len(p.nodes))
	p.nodes = append(p.nodes, n)
	p.known[key] = t
	return t
}

func (p *pool) constant(v constant.Value) term {
	return p.add(node{op: "const", value: v}, "const "+strconv.Itoa(int(v.Kind()))+" "+v.ExactString())
}

// apply returns the term of an operation.
func (p *pool) apply(op string, args ...term) term {
	var key strings.Builder
	key.WriteString(op)
	for _, a := range args {
		key.WriteByte(' ')
		key.WriteString(strconv.Itoa(int(a)))
	}
	return p.add(node{op: op, args: args}, key.String())
}

// maxOffset bounds the sums that are told apart: the least type that is as large has eight bits.
const maxOffset = 100

// plus returns the sum of a term and a constant.
func (p *pool) plus(t term, offset int64) term {
	n := p.nodes[t]
	if n.op == "+" && n.offset != 0 {
		t, offset = n.args[0], n.offset+offset
	}
	if offset == 0 {
		return t
	}
	if offset > maxOffset || offset < -maxOffset {
		return p.apply("plus", t, p.constant(constant.MakeInt64(offset)))
	}
	key := "+ " + strconv.Itoa(int(t)) + " " + strconv.FormatInt(offset, 10)
	return p.add(node{op: "+", args: []term{t}, offset: offset}, key)
}

// equal returns the term of a comparison.
func (p *pool) equal(a, b term) term {
	if a == b {
		return trueTerm
	}
	if a > b {
		a, b = b, a
	}
	return p.apply("==", a, b)
}

func (p *pool) not(t term) term {
	switch {
	case t == trueTerm:
		return falseTerm
	case t == falseTerm:
		return trueTerm
	case p.nodes[t].op == "!":
		return p.nodes[t].args[0]
	}
	return p.apply("!", t)
}

// less returns the term of a comparison in a linear order.
func (p *pool) less(a, b term) term {
	x, y := p.nodes[a].value, p.nodes[b].value
	switch {
	case a == b:
		return falseTerm
	case x != nil && y != nil && x.Kind() == y.Kind() && x.Kind() != constant.Bool:
		return p.boolean(constant.Compare(x, token.LSS, y))
	}
	return p.apply("<", a, b)
}

func (p *pool) boolean(b bool) term {
	if b {
		return trueTerm
	}
	return falseTerm
}

// small returns the value of a term that is a small integer constant.
func (p *pool) small(t term) (int64, bool) {
	v := p.nodes[t].value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	n, exact := constant.Int64Val(v)
	return n, exact && n <= maxOffset && n >= -maxOffset
}

// isMade tells whether a term is the address of memory that the unit has made.
func (p *pool) isMade(t term) bool { return strings.HasPrefix(p.nodes[t].op, "new ") }

// isAddress tells whether a term is the address of a variable: it is not nil.
func (p *pool) isAddress(t term) bool {
	op := p.nodes[t].op
	return strings.HasPrefix(op, "new ") || strings.HasPrefix(op, "&") || strings.HasPrefix(op, "global ")
}

// isNotNil tells whether a term is evidently not nil.
func (p *pool) isNotNil(t term) bool {
	op := p.nodes[t].op
	return p.isAddress(t) || strings.HasPrefix(op, "interface ") || strings.HasPrefix(op, "function ")
}
