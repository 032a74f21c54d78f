package blocking

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// What a call hands to clients they can use whenever they like: send on a channel in an exported field, close it, or
// receive from it. So they can what they hand over themselves. They do not do so in the model, so that who waits for
// that is in doubt.

// expose puts in doubt who waits for what clients can do with the results of a call that they made.
func (l *lowerer) expose(s *state, fn *ssa.Function, result value) {
	if l.c.IsClient == nil || !l.c.IsClient(s.top().fn) || l.c.IsClient(fn) {
		return
	}
	e := exposing{l, s, map[pointer]bool{}, types.SendOnly, types.RecvOnly}
	switch results := fn.Signature.Results(); results.Len() {
	case 0:
	case 1:
		e.look(result, results.At(0).Type())
	default:
		all, _ := result.(several)
		for i, v := range all {
			e.look(v, results.At(i).Type())
		}
	}
}

// exposeHanded puts in doubt who waits for what clients can do with the channels that they hand to a call that they
// make. Of one that is handed over to be received from they have the other end.
func (l *lowerer) exposeHanded(s *state, site ssa.CallInstruction, c callee) {
	if l.c.IsClient == nil || !l.c.IsClient(site.Parent()) || l.c.IsClient(c.fn) {
		return
	}
	e := exposing{l, s, map[pointer]bool{}, types.RecvOnly, types.SendOnly}
	for i, p := range c.fn.Params {
		if _, isChannel := p.Type().Underlying().(*types.Chan); isChannel && i < len(c.args) {
			e.look(c.args[i], p.Type())
		}
	}
}

type exposing struct {
	*lowerer
	state *state
	seen  map[pointer]bool
	// the directions of channels from which they can not receive, or on which they can not send
	notReceived, notSent types.ChanDir
}

// look looks at a value that clients have.
func (e exposing) look(v value, t types.Type) {
	switch t := t.Underlying().(type) {
	case *types.Chan:
		if p, ok := v.(pointer); ok {
			if t.Dir() != e.notReceived {
				e.doubts.some[objectDoubt{aReceive, p.to}] = true
			}
			if t.Dir() != e.notSent {
				e.doubts.some[objectDoubt{aSend, p.to}] = true
			}
		}
	case *types.Struct:
		all, _ := v.(several)
		for i, field := range all {
			if t.Field(i).Exported() {
				e.look(field, t.Field(i).Type())
			}
		}
	case *types.Pointer:
		if p, ok := v.(pointer); ok {
			e.lookAt(p, t.Elem())
		}
	}
}

// lookAt looks at memory that clients can come to.
func (e exposing) lookAt(p pointer, t types.Type) {
	if e.seen[p] {
		return
	}
	e.seen[p] = true
	if st, ok := t.Underlying().(*types.Struct); ok {
		for field := range st.Fields() {
			if field.Exported() {
				e.lookAt(pointer{p.to, join(p.path, field.Name())}, field.Type())
			}
		}
		return
	}
	at := cell{p.to, p.path}
	if x, ok := e.state.get(at); ok {
		e.look(x, t)
	}
	if shared := e.known.shared[at]; shared != nil {
		for _, x := range shared.values {
			e.look(x, t)
		}
	}
}
