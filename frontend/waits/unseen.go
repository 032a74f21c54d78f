package waits

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// Code of the program that has no node may be called where nothing is known of what is called: a method of a type that
// clients may hand over, for instance. Most such code does nothing that matters, nor does what it calls; that is found
// without points-to sets. A method that is called of an interface is any that has its name and is of a type with the
// interface; a function that is used may be called.

// unseen looks at code that has no node.
type unseen struct {
	*settler
	values []*ssa.Function
	known  map[*ssa.Function]bool // that matter or not; of those that are being looked at: not
}

func newUnseen(s *settler) *unseen {
	u := &unseen{settler: s, known: map[*ssa.Function]bool{}}
	seen := map[*ssa.Function]bool{}
	var room [10]*ssa.Value
	for _, fn := range s.graph.Functions() {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, operand := range instr.Operands(room[:0]) {
					if used, ok := (*operand).(*ssa.Function); ok && !seen[used] && s.isUnseen(used) {
						seen[used] = true
						u.values = append(u.values, used)
					}
				}
			}
		}
	}
	return u
}

func (s *settler) isUnseen(fn *ssa.Function) bool {
	return s.originOf(fn) == Own && len(s.graph.NodesOf(fn)) == 0
}

// callMatters tells whether a call of which nothing is known may call such code that matters.
func (u *unseen) callMatters(call *ssa.CallCommon) bool {
	seen := map[*ssa.Function]bool{}
	for queue := u.called(call, true); len(queue) > 0; queue = queue[1:] {
		fn := queue[0]
		if fn == nil {
			return true
		}
		if seen[fn] {
			continue
		}
		seen[fn] = true
		if u.known[fn] {
			return true
		}
		more, matters := u.lookAt(fn)
		if matters {
			u.known[fn] = true
			return true
		}
		queue = append(queue, more...)
	}
	return false
}

// called returns the functions without nodes that a call may call which names none; nil among them: that is not known.
// Of a call in code that has a node it is known which methods of the standard library it calls.
func (u *unseen) called(call *ssa.CallCommon, isSeen bool) (all []*ssa.Function) {
	if !call.IsInvoke() {
		signature, ok := call.Value.Type().Underlying().(*types.Signature)
		if !ok {
			return []*ssa.Function{nil}
		}
		for _, fn := range u.values {
			if types.Identical(withoutReceiver(fn.Signature), withoutReceiver(signature)) {
				all = append(all, fn)
			}
		}
		return all
	}
	if !types.IsInterface(call.Value.Type()) {
		return []*ssa.Function{nil}
	}
	for _, fn := range u.methodsOf(u.graph.Nodes()[0].Func.Prog, call) {
		switch {
		case fn == nil || u.isUnseen(fn):
			all = append(all, fn)
		case isSeen || u.originOf(fn) != Standard || isHarmless(fn):
		case !describes[fn.Name()]:
			all = append(all, nil)
		}
	}
	return all
}

func withoutReceiver(s *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// lookAt tells whether a function itself may do something that matters, and which others it may call.
func (u *unseen) lookAt(fn *ssa.Function) (more []*ssa.Function, matters bool) {
	if len(fn.Blocks) == 0 {
		return nil, true
	}
	var room [10]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch x := instr.(type) {
			case *ssa.Send, *ssa.Go, *ssa.Select:
				return nil, true
			case *ssa.UnOp:
				if x.Op == token.ARROW {
					return nil, true
				}
			}
			for _, operand := range instr.Operands(room[:0]) {
				used, ok := (*operand).(*ssa.Function)
				switch {
				case !ok:
				case u.isUnseen(used):
					more = append(more, used)
				case u.originOf(used) != Own && !isHarmless(used):
					return nil, true
				}
			}
			site, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			call := site.Common()
			switch b, isBuiltin := call.Value.(*ssa.Builtin); {
			case isBuiltin && b.Name() == "close":
				return nil, true
			case isBuiltin || call.StaticCallee() != nil:
			case call.IsInvoke() && call.Method.Name() == "Lock": // of a lock of the standard library
				return nil, true
			default:
				more = append(more, u.called(call, false)...)
			}
		}
	}
	return more, false
}

// harmless is packages of the standard library that wait for nothing and call back on the goroutine that calls them.
var harmless = map[string]bool{"bytes": true, "cmp": true, "encoding/base64": true, "encoding/binary": true,
	"encoding/hex": true, "encoding/json": true, "errors": true, "fmt": true, "maps": true, "math": true,
	"math/big": true, "math/bits": true, "net/textproto": true, "net/url": true, "path": true, "path/filepath": true,
	"regexp": true, "slices": true, "sort": true, "strconv": true, "strings": true, "unicode": true,
	"unicode/utf16": true, "unicode/utf8": true}

// describes is methods that tell what a value is, whichever type of the standard library has them.
var describes = map[string]bool{"Error": true, "String": true, "Unwrap": true, "Is": true, "As": true}

func isHarmless(fn *ssa.Function) bool {
	return (harmless[knowledge.PackagePath(knowledge.Outermost(fn))] || waitsForItself(fn)) && !isPrimitive(fn) &&
		waiting(fn) == ""
}
