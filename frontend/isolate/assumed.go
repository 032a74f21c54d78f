package isolate

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Assumed is something that is taken for granted of what the fields of the set lead to.
type Assumed struct {
	Kind string
	Pos  token.Pos
	Text string
}

// Assumed returns what is taken for granted, for the user to read.
func (i *Isolation) Assumed() []Assumed {
	return slices.Concat(i.libraryAssumed(), i.othersAssumed(), i.otherwiseAssumed(), i.unlockedAssumed())
}

// othersAssumed names the types that are checked on their own.
func (i *Isolation) othersAssumed() []Assumed {
	held := i.OthersHeld()
	if len(held) == 0 {
		return nil
	}
	var names []string
	for _, t := range held {
		names = append(names, t.Name())
	}
	return []Assumed{{"apart", held[0].Pos(), "objects with a lock of their own are checked on their own, and are no " +
		"part of the fields that lead to them: " + strings.Join(names, ", ")}}
}

// otherwiseAssumed names the fields of objects that fields lead to and that are synchronised
// without locks.
func (i *Isolation) otherwiseAssumed() []Assumed {
	names := i.FieldsOtherwise()
	if len(names) == 0 || i.Subject.Type == nil {
		return nil
	}
	return []Assumed{{"apart", i.Subject.Type.Obj().Pos(), "what is used with no lock held, beside something to wait " +
		"for, by atomic operations only, or by who has it for itself from a library, needs no other lock, and is no part " +
		"of the fields that lead to it: " +
		strings.Join(names, ", ")}}
}

// unlockedAssumed names the types that are never used with a lock held, of which the program has objects.
func (i *Isolation) unlockedAssumed() []Assumed {
	if len(i.Subject.Unlocked) == 0 || i.Subject.Type == nil {
		return nil
	}
	var names []string
	for t := range i.unlocked {
		names = append(names, t.Name())
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return []Assumed{{"apart", i.Subject.Type.Obj().Pos(), "objects that are never used with a lock held are no part of " +
		"the fields that lead to them, which one guards: " + strings.Join(names, ", ")}}
}

// libraryAssumed names the types of the standard library's objects that fields lead to and that
// guard themselves.
func (i *Isolation) libraryAssumed() []Assumed {
	if i.Subject.Type == nil {
		return nil
	}
	var names []string
	for _, o := range i.BlackBoxes() {
		of := types.Unalias(o.Type).(*types.Named).Obj()
		if name := of.Pkg().Name() + "." + of.Name(); of.Exported() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return []Assumed{{"library", i.Subject.Type.Obj().Pos(), "objects of the type " + strings.Join(names, ", ") +
		" guard themselves: to call their methods is no access to what leads to them"}}
}
