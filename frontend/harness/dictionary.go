package harness

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// What a function takes as an argument may have to be one of few values: a key has 16 bytes, a network is called
// "tcp", an expression is of some form. The code says so where it compares a parameter with constants, and tests do
// where they hand it one: those are tried beside what is tried of every type, as a fuzzer does with its dictionary.

// maxFollowed bounds how deep calls are followed that a parameter is handed to, maxLength the lengths that are
// written out, and maxWords the constants of a kind.
const (
	maxFollowed = 4
	maxLength   = 64
	maxWords    = 2
)

// words are the constants that a parameter is compared with, or is in tests.
type words struct {
	lengths  []int
	texts    []string
	numbers  []int64
	elements *words // likewise its elements; nil: none
}

// dictionary collects words.
type dictionary struct {
	program *ssa.Program
	seen    map[ssa.Value]bool
}

// wordsOf returns the words of a parameter of a function, without its receiver.
func (w *trialWriter) wordsOf(fn *types.Func, parameter int) *words {
	all := &words{}
	if fn == nil {
		return all
	}
	if body := w.clients.program.FuncValue(fn.Origin()); body != nil {
		i := parameter
		if body.Signature.Recv() != nil {
			i++
		}
		if i < len(body.Params) {
			d := &dictionary{w.clients.program, map[ssa.Value]bool{}}
			d.value(body.Params[i], all, 0)
		}
	}
	all.texts = append(all.texts, w.clients.loaded.Examples(fn.Pkg())[fn.Name()][parameter]...)
	return all
}

// value follows a value that is the parameter.
func (d *dictionary) value(v ssa.Value, to *words, depth int) {
	if d.seen[v] || v.Referrers() == nil {
		return
	}
	d.seen[v] = true
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case *ssa.BinOp:
			to.compare(user, v)
			d.compareWithField(user, v, to)
		case *ssa.Phi:
			d.value(user, to, depth)
		case *ssa.ChangeType:
			d.value(user, to, depth)
		case *ssa.Convert:
			if isTextual(v.Type()) && isTextual(user.Type()) {
				d.value(user, to, depth)
			}
		case *ssa.IndexAddr:
			if user.X == v && to.elements == nil {
				to.elements = &words{}
			}
			if user.X == v {
				d.loads(user, to.elements, depth)
			}
		case ssa.CallInstruction:
			d.call(user, v, to, depth)
		}
	}
}

// loads follows what is read at an address.
func (d *dictionary) loads(at ssa.Value, to *words, depth int) {
	for _, user := range *at.Referrers() {
		if load, ok := user.(*ssa.UnOp); ok && load.Op == token.MUL {
			d.value(load, to, depth)
		}
	}
}

// call follows a value into a function that is called with it.
func (d *dictionary) call(call ssa.CallInstruction, v ssa.Value, to *words, depth int) {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		if length, isValue := call.(ssa.Value); b.Name() == "len" && isValue {
			d.length(length, to)
		}
		return
	}
	callee := common.StaticCallee()
	if callee == nil || depth == maxFollowed {
		return
	}
	for i, a := range common.Args {
		if a == v && i < len(callee.Params) {
			d.value(callee.Params[i], to, depth+1)
		}
	}
}

// length follows the length of the parameter.
func (d *dictionary) length(v ssa.Value, to *words) {
	if d.seen[v] || v.Referrers() == nil {
		return
	}
	d.seen[v] = true
	for _, user := range *v.Referrers() {
		switch user := user.(type) {
		case *ssa.Phi:
			d.length(user, to)
		case *ssa.BinOp:
			if c, ok := comparedWith(user, v); ok && c.Kind() == constant.Int {
				if n, exact := constant.Int64Val(c); exact && n > 1 && n <= maxLength && !slices.Contains(to.lengths, int(n)) {
					to.lengths = append(to.lengths, int(n))
				}
			}
		}
	}
}

// compare notes what a value is compared with.
func (w *words) compare(op *ssa.BinOp, v ssa.Value) {
	c, ok := comparedWith(op, v)
	if !ok {
		return
	}
	switch c.Kind() {
	case constant.String:
		if text := constant.StringVal(c); text != "" && len(text) <= maxLength && !slices.Contains(w.texts, text) {
			w.texts = append(w.texts, text)
		}
	case constant.Int:
		w.number(c)
	}
}

// number notes a number that would not be tried anyway.
func (w *words) number(c constant.Value) {
	if n, exact := constant.Int64Val(c); exact && (n < 0 || n > 2) && !slices.Contains(w.numbers, n) {
		w.numbers = append(w.numbers, n)
	}
}

// maxCopied bounds how often a constant is copied from one field to another one.
const maxCopied = 2

// compareWithField notes the numbers that are stored in a field which a value is compared with.
func (d *dictionary) compareWithField(op *ssa.BinOp, v ssa.Value, to *words) {
	switch op.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
	default:
		return
	}
	other := op.X
	if other == v {
		other = op.Y
	}
	d.stored(fieldLoaded(other), to, 0)
}

// fieldLoaded returns the field that a value is loaded from; nil if there is none.
func fieldLoaded(v ssa.Value) *types.Var {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	address, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	return fieldAt(address)
}

func fieldAt(address *ssa.FieldAddr) *types.Var {
	of := address.X.Type().Underlying().(*types.Pointer).Elem()
	return of.Underlying().(*types.Struct).Field(address.Field)
}

// stored notes the numbers that the package of a field stores in it, or copies from another one. Linear in its size.
func (d *dictionary) stored(field *types.Var, to *words, copied int) {
	if field == nil || field.Pkg() == nil || copied > maxCopied {
		return
	}
	pkg := d.program.Package(field.Pkg())
	if pkg == nil {
		return
	}
	for _, fn := range load.DeclaredIn(pkg) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				store, ok := instr.(*ssa.Store)
				if !ok {
					continue
				}
				if address, ok := store.Addr.(*ssa.FieldAddr); !ok || fieldAt(address).Origin() != field.Origin() {
					continue
				}
				if c, ok := store.Val.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int {
					to.number(c.Value)
				} else if from := fieldLoaded(store.Val); from != nil && from.Origin() != field.Origin() {
					d.stored(from, to, copied+1)
				}
			}
		}
	}
}

// comparedWith returns the constant that a value is to equal, or to reach.
func comparedWith(op *ssa.BinOp, v ssa.Value) (constant.Value, bool) {
	x, y, operator := op.X, op.Y, op.Op
	if y == v {
		x, y = y, x
		operator = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ,
			token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}[operator]
	}
	c, ok := y.(*ssa.Const)
	if !ok || x != v || c.Value == nil {
		return nil, false
	}
	switch operator {
	case token.EQL, token.NEQ, token.LSS, token.GEQ:
		return c.Value, true
	}
	return nil, false
}

// isTextual tells whether a type is of strings, or of slices of bytes.
func isTextual(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	}
	return false
}

// chosen returns the values of a type that have words in them: first those of a length, without which there would
// often be none of use, and such as may be tried besides.
func (w *trialWriter) chosen(t types.Type, of *words) (first, besides []argument) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		for _, n := range head(of.lengths) {
			first = append(first, argument{text: quotedOf("a", n)}, argument{text: quotedOf("b", n)})
		}
		if u.Info()&types.IsString != 0 {
			for _, text := range head(of.texts) {
				besides = append(besides, argument{text: fmt.Sprintf("%q", text)})
			}
		}
		if u.Info()&types.IsInteger != 0 {
			for _, n := range head(of.numbers) {
				besides = append(besides, argument{text: fmt.Sprint(n)})
			}
		}
	case *types.Slice:
		if !isNameable(t) {
			return nil, nil
		}
		name := w.typeName(t)
		if isTextual(t) {
			for _, n := range head(of.lengths) {
				for _, letter := range []string{"a", "b"} {
					first = append(first, argument{text: name + "(" + quotedOf(letter, n) + ")", shared: true})
				}
			}
		} else if of.elements != nil {
			inner, _ := w.chosen(u.Elem(), of.elements)
			for _, e := range inner {
				first = append(first, argument{text: name + "{" + e.alone().text + "}", shared: true})
			}
		}
	}
	return first, besides
}

func quotedOf(letter string, n int) string { return fmt.Sprintf("%q", strings.Repeat(letter, n)) }

func head[T any](all []T) []T { return all[:min(len(all), maxWords)] }

// withWords adds to the values of a parameter those that the function compares it with.
func (w *trialWriter) withWords(all []argument, fn *types.Func, parameter int, t types.Type) []argument {
	if len(all) == 0 || all[0].text == "o" {
		return all
	}
	of := w.wordsOf(fn, parameter)
	if s, ok := t.Underlying().(*types.Slice); ok && of.elements != nil {
		w.shared(s.Elem(), of.elements)
	}
	of = w.shared(t, of)
	first, besides := w.chosen(t, of)
	if len(besides) > 0 {
		all = slices.Concat(all[:1], besides, all[1:])
	}
	return append(first, all...)
}

// shared returns the words of a parameter, or, where the function says nothing about its length, those of others with
// bytes: a key that one function looks for is one that another one has added.
func (w *trialWriter) shared(t types.Type, of *words) *words {
	if _, isSlice := t.Underlying().(*types.Slice); !isSlice || !isTextual(t) {
		return of
	}
	key := types.TypeString(t, nil)
	switch {
	case len(of.lengths) > 0 && w.lengths[key] == nil:
		w.lengths[key] = of
	case len(of.lengths) == 0 && w.lengths[key] != nil:
		return w.lengths[key]
	}
	return of
}
