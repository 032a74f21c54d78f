package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// What append, packages slices, sort and bytes, io.ReadFull and the like, and the methods Read and Write of library
// types do to the elements of a slice, in programs that are recorded in full. The bodies of these have no hooks. A
// function of slices or sort is taken to read and write all elements of its first argument, and to read those of
// others, unless its name says that it only reads. What it has written when it ends early, or has not looked at, is
// recorded all the same: a read of an element that a binary search passed over, say.

// listPackages are the packages whose functions are about slices that they are handed.
var listPackages = map[string]bool{"slices": true, "sort": true, "bytes": true}

// fillers are functions of package io that write the bytes of a slice that they are handed.
var fillers = map[string]bool{"ReadFull": true, "ReadAtLeast": true}

// streams are methods of library types that are handed bytes, as those of io.Reader and io.Writer, and what they do to
// them. Read may use all of the slice, and Write changes none of it, as package io says.
var streams = map[string]string{"Read": "write", "ReadAt": "write", "Write": "read", "WriteAt": "read"}

// stream is what a method does to the bytes that it is handed, "" if it is none of streams.
func (f *file) stream(fn *types.Func) string {
	s := fn.Signature()
	if s.Recv() == nil || fn.Pkg() == nil || f.isOwnPackage(fn.Pkg()) || s.Params().Len() == 0 || s.Results().Len() != 2 {
		return ""
	}
	if b, ok := elements(s.Params().At(0).Type()).(*types.Basic); !ok || b.Kind() != types.Byte {
		return ""
	}
	return streams[fn.Name()]
}

// argumentsOf are the arguments of a call, with its parentheses. What a method of a stream does to them is recorded.
func (f *file) argumentsOf(n *ast.CallExpr, fn *types.Func) string {
	kind := ""
	if f.full {
		kind = f.stream(fn)
	}
	if kind == "" || len(n.Args) == 0 {
		return f.arguments(n)
	}
	bytes := n.Args[0]
	text := f.text(n.Fun.End(), bytes.Pos()) +
		f.allElements(f.render(bytes), bytes, elements(f.info.TypeOf(bytes)), kind, n.Lparen)
	at := bytes.End()
	for _, a := range n.Args[1:] {
		text += f.text(at, a.Pos()) + f.render(a)
		at = a.End()
	}
	return text + f.text(at, n.End())
}

// listReaders are the beginnings of names of their functions that change no element. What is returned by Clone,
// Sorted and the like is new.
var listReaders = []string{"All", "Backward", "BinarySearch", "Chunk", "Clone", "Compare", "Concat", "Contains",
	"Equal", "Index", "IsSorted", "Max", "Min", "Repeat", "Search", "Values", "SliceIsSorted", "IntsAreSorted",
	"Float64sAreSorted", "StringsAreSorted"}

// unread are those that look at no element: they change the header only.
var unread = map[string]bool{"Grow": true, "Clip": true}

// listCall wraps the slices that are handed to functions of packages slices and sort in the hooks of their
// elements.
func (f *file) listCall(n *ast.CallExpr) (string, bool) {
	fn := f.callee(n)
	if !f.full || f.scope == nil || fn == nil || fn.Pkg() == nil || unread[fn.Name()] {
		return "", false
	}
	if fn.Signature().Recv() != nil {
		if f.stream(fn) == "" {
			return "", false
		}
		return f.render(n.Fun) + f.argumentsOf(n, fn), true
	}
	fills := fn.Pkg().Path() == "io" && fillers[fn.Name()]
	if !fills && !listPackages[fn.Pkg().Path()] {
		return "", false
	}
	reads := fn.Pkg().Path() == "bytes" // what it returns is new, or a part of what it is handed
	for _, begin := range listReaders {
		reads = reads || strings.HasPrefix(fn.Name(), begin)
	}
	var b strings.Builder
	b.WriteString(f.render(n.Fun))
	at := n.Fun.End()
	for i, a := range n.Args {
		b.WriteString(f.text(at, a.Pos()))
		at = a.End()
		text := f.render(a)
		if e := elements(f.info.TypeOf(a)); e != nil {
			if !fills {
				text = f.allElements(text, a, e, "read", n.Lparen)
			}
			if fills || i == 0 && !reads {
				text = f.allElements(text, a, e, "write", n.Lparen)
			}
		}
		b.WriteString(text)
	}
	b.WriteString(f.text(at, n.End()))
	return b.String(), true
}

// elementRefs are the accesses to an element of a slice: one to memory, or one to each field of a watched type.
func (f *file) elementRefs(list ast.Expr, element types.Type, kind string, at token.Pos) (refs []string) {
	if f.isMemory(element) {
		return []string{f.ref(f.memoryHit(list, "0")[0], kind, at)}
	}
	if c := f.classOf(element); c != nil && !isPointer(element) {
		for _, w := range c.fields {
			refs = append(refs, f.ref(hit{class: c, field: w, offset: "0"}, kind, at))
		}
	}
	return refs
}

// allElements wraps the text of a slice in the hooks of an access to all elements.
func (f *file) allElements(text string, list ast.Expr, element types.Type, kind string, at token.Pos) string {
	for _, ref := range f.elementRefs(list, element, kind, at) {
		text = f.hook("Elements", fmt.Sprint(uint8(operations[kind])), text, ref)
	}
	return text
}

// appended wraps the first operand of append in the hooks of what it does to elements: where there is room it
// writes behind the last one, else it reads all. What it reads of a slice with dots is recorded, too.
func (f *file) appended(n *ast.CallExpr) (string, bool) {
	if !f.full || f.scope == nil || len(n.Args) < 2 {
		return "", false
	}
	element := elements(f.info.TypeOf(n.Args[0]))
	if element == nil {
		f.leave(n, "what is appended to has a type that is a parameter")
		return "", false
	}
	more, second := fmt.Sprint(len(n.Args)-1), f.render(n.Args[1])
	rest := f.text(n.Args[0].End(), n.Args[1].Pos())
	if n.Ellipsis.IsValid() {
		if !f.isPure(n.Args[1]) {
			return f.appendedOnce(n, element)
		}
		more = "len(" + f.raw(n.Args[1]) + ")"
		if from := elements(f.info.TypeOf(n.Args[1])); from != nil {
			second = f.allElements(second, n.Args[1], from, "read", n.Lparen)
		}
	}
	text := f.render(n.Args[0])
	reads := f.elementRefs(n.Args[0], element, "read", n.Lparen)
	for i, write := range f.elementRefs(n.Args[0], element, "write", n.Lparen) {
		text = f.hook("Appending", text, more, reads[i], write)
	}
	text = f.text(n.Pos(), n.Args[0].Pos()) + text + rest + second
	at := n.Args[1].End()
	for _, a := range n.Args[2:] {
		text += f.text(at, a.Pos()) + f.render(a)
		at = a.End()
	}
	return text + f.text(at, n.End()), true
}

// appendedOnce is appended for a slice with dots that can be evaluated once only.
func (f *file) appendedOnce(n *ast.CallExpr, element types.Type) (string, bool) {
	if !f.isMemory(element) || elements(f.info.TypeOf(n.Args[1])) == nil {
		f.leave(n, "what is appended is evaluated once; make that a variable")
		return "", false
	}
	refs := func(list ast.Expr, kind string) string { return f.elementRefs(list, element, kind, n.Lparen)[0] }
	return f.hook("Append", f.render(n.Args[0]), f.render(n.Args[1]), refs(n.Args[0], "read"), refs(n.Args[0], "write"),
		refs(n.Args[1], "read")), true
}
