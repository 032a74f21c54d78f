package lower

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/esl"
	"github.com/empire-go/empire-go/frontend/isolate"
	"github.com/empire-go/empire-go/frontend/keys"
	"github.com/empire-go/empire-go/frontend/pointsto"
	"github.com/empire-go/empire-go/frontend/ssaflow"
	"github.com/empire-go/empire-go/frontend/tag"
)

// What class a key has (package keys) is decided where it is made, or where an entry is first
// accessed with it, and stays known of the value on the path.

// step lowers one instruction that is no control flow. It returns the ways in which it can go.
func (l *lowerer) step(c *clone, s state, instr ssa.Instruction) []outcome {
	if l.keys == nil {
		return l.stepOnce(c, s, instr)
	}
	if v, ok := instr.(ssa.Value); ok && s.tags.Of(v).Kind == tag.Key {
		s = s.with(v, tag.Tag{}) // it was another one, when it was computed before
	}
	begin := one(nil, s)
	for _, v := range l.keys.HandedOn(instr) {
		begin = l.also(begin, func(s state) []outcome { return l.makeIndex(outcome{nil, s}, v) })
	}
	origin := l.keys.OriginAt(instr)
	if origin != nil && origin.Before {
		begin = l.makeKey(c, begin[0], origin, instr)
	}
	all := l.also(begin, func(s state) []outcome { return l.stepOnce(c, s, instr) })
	var made []outcome
	for _, o := range all {
		switch from := l.keys.Renamed(instr); {
		case origin != nil && !origin.Before:
			made = append(made, l.makeKey(c, o, origin, instr)...)
		case from != nil && o.state.tags.Of(from).Kind == tag.Key:
			made = append(made, l.rename(o, from, instr.(ssa.Value))...)
		case l.keys.IsOfIndices():
			v, _ := instr.(ssa.Value)
			made = append(made, l.makeIndex(o, v)...)
		default:
			made = append(made, o)
		}
	}
	return made
}

// makeKey returns the outcomes of an instruction that makes a key: it is an isolated one, which it
// makes once at most, or another one.
func (l *lowerer) makeKey(c *clone, o outcome, origin *keys.Origin, at ssa.Instruction) []outcome {
	supply := origin.Supply
	if origin.Within != nil {
		g := l.tagOf(c, o.state, origin.Within)
		if g.Kind != tag.Object || strings.Contains(g.Path, "[") {
			return []outcome{o}
		}
		supply += fmt.Sprint(" of ", g.Star, g.Path)
	}
	if o.state.tags.Of(origin.Key).Kind != tag.None {
		return []outcome{o}
	}
	classes := l.keys.Isolated()
	if !ssaflow.IsPointerLike(origin.Key.Type()) {
		classes = append(classes, l.keys.Constants()...)
	}
	all := []outcome{{o.stmts, o.state.with(origin.Key, keyTag(keys.Other))}}
	for _, class := range classes {
		take := esl.Stmt{Op: esl.Set, Arg: l.flag("key " + l.keys.Name(class) + " of " + supply), Pos: l.position(at)}
		all = append(all, outcome{append(slices.Clip(o.stmts), take), o.state.with(origin.Key, keyTag(class))})
	}
	return all
}

// makeIndex returns the outcomes in which the class of a value is known that may be an index.
func (l *lowerer) makeIndex(o outcome, v ssa.Value) []outcome {
	if !l.keys.Carries(v) || o.state.tags.Of(v).Kind != tag.None {
		return []outcome{o}
	}
	var all []outcome
	for _, class := range l.keys.IndexClasses() {
		all = append(all, outcome{o.stmts, o.state.with(v, keyTag(class))})
	}
	return all
}

// stepIndex returns the outcomes of the address of an element of the field at tag g, whose elements
// are told apart by their indices; nil if they are not.
func (l *lowerer) stepIndex(c *clone, s state, v *ssa.IndexAddr, g tag.Tag) (all []outcome) {
	name, ok := l.keys.FieldOf(v)
	if !ok || g.Kind == tag.Contents && l.Stars.Subject.Fields[g.Field] != name ||
		g.Kind == tag.Object && g.Path != pointsto.JoinPath(l.Stars.Stars[g.Star].Path, name) {
		return nil
	}
	known, all := l.carried(c, s, v.Index), nil
	for _, class := range l.keys.IndexClasses() {
		element, at := g, s
		element.Path = pointsto.JoinPath(g.Path, l.keys.Element(class))
		if known.Kind == tag.Key && known.Field != class {
			continue
		}
		if _, isConst := v.Index.(*ssa.Const); !isConst && known.Kind == tag.None && s.tags.Of(v.Index).Kind == tag.None {
			at = at.with(v.Index, keyTag(class))
		}
		all = append(all, outcome{nil, at.with(v, element)})
	}
	return all
}

// rename returns the outcomes of an instruction that makes another value of a key, which may be
// equal to a constant.
func (l *lowerer) rename(o outcome, from, to ssa.Value) []outcome {
	class := o.state.tags.Of(from).Field
	if class != keys.Other && !slices.Contains(l.keys.Isolated(), class) {
		return []outcome{o}
	}
	all := []outcome{{o.stmts, o.state.with(to, keyTag(class))}}
	for _, equal := range l.keys.Constants() {
		all = append(all, outcome{o.stmts, o.state.with(to, keyTag(equal))})
	}
	return all
}

func keyTag(class keys.Class) tag.Tag { return tag.Tag{Kind: tag.Key, Field: class} }

// carried returns the tag of an operand that is handed on: as a key, if it is one.
func (l *lowerer) carried(c *clone, s state, v ssa.Value) tag.Tag {
	if l.keys.Carries(v) {
		if k, ok := v.(*ssa.Const); ok {
			if class, ok := l.keys.ClassOf(k); ok {
				return keyTag(class)
			}
		} else if g := s.tags.Of(v); g.Kind == tag.Key {
			return g
		}
	}
	return l.tagOf(c, s, v)
}

// access lowers an access through a pointer to memory, or to the contents of a slice or map. A
// key of which nothing is known may be of any class.
func (l *lowerer) access(c *clone, s state, pointer ssa.Value, kind esl.AccessKind, at ssa.Instruction) []outcome {
	all := l.accessOnce(c, s, pointer, kind, at)
	if text := keys.Text(l.Program.Syntax, at); text != "" {
		l.keyTexts[l.position(at)] = text
		if header := keys.Header(at); header != nil {
			l.keyTexts[l.position(header)] = text // the two may be one event: see continuesHeaderRead
		}
	}
	key := l.keys.EntryKey(at)
	if key == nil || l.carried(c, s, key).Kind != tag.None || s.tags.Of(key).Kind != tag.None ||
		!slices.ContainsFunc(all, l.accessesEntries) {
		return all
	}
	if _, isConst := key.(*ssa.Const); isConst {
		return all
	}
	all = nil
	for _, class := range l.keys.Keys() {
		all = append(all, l.accessOnce(c, s.with(key, keyTag(class)), pointer, kind, at)...)
	}
	return all
}

// accessesEntries tells whether the outcome accesses entries of a map that are told apart.
func (l *lowerer) accessesEntries(o outcome) bool {
	fields := len(l.Stars.Subject.Fields)
	return slices.ContainsFunc(o.stmts, func(st esl.Stmt) bool {
		part := st.Arg - len(l.Stars.Stars)*fields
		return st.Op == esl.Access && part >= 0 && l.parts[part].Key != 0
	})
}

// isToldApart tells whether the instruction touches entries of contents that are told apart: that
// is more than to read the field that leads to them.
func (l *lowerer) isToldApart(g tag.Tag, at ssa.Instruction) bool {
	return l.keys.TellsApart(g.Field) && l.keys.TouchesEntries(at, false)
}

// classesAt returns the classes of keys that an access to the location touches: to the field of a
// star itself, if it is its own.
func (l *lowerer) classesAt(c *clone, s state, at isolate.Location, own bool, instr ssa.Instruction) []keys.Class {
	if at.Key == keys.Other {
		return nil
	}
	if at.Key != keys.None {
		return []keys.Class{at.Key}
	}
	if at.Apart || !l.keys.TellsApart(at.Field) {
		return []keys.Class{keys.None}
	}
	if key := l.keys.EntryKey(instr); key != nil {
		switch g := l.carried(c, s, key); {
		case g.Kind == tag.Key && g.Field == keys.Other:
			return nil
		case g.Kind == tag.Key:
			return []keys.Class{g.Field}
		}
	} else if !l.keys.TouchesEntries(instr, own) {
		return []keys.Class{keys.None}
	}
	return l.keys.All()
}
