package candidates

import (
	"go/types"
	"maps"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/load"
)

// lock is a mutex that is held: where it is, as a function sees it, and what it is
// called. The place is unknown (no root) where a caller holds the lock of an object that
// the function is not handed.
type lock struct {
	at    place
	owner *types.TypeName // that it is a field of; nil for a variable
	name  string          // of that field, dotted if it is nested; or of the variable

	isChannel bool // that has room for one
}

// mode is how a lock is held.
type mode uint8

const (
	reading mode = iota + 1 // by RLock
	writing
)

// lockOf returns the lock at an address.
func lockOf(address ssa.Value) lock {
	l := lock{at: placeOf(address)}
	l.owner, l.name = ownerOf(address)
	if l.owner == nil {
		if g, ok := l.at.root.(*ssa.Global); ok {
			l.name = variableName(g)
			if l.name == "" {
				return lock{}
			}
			if path := strings.ReplaceAll(l.at.path, "*", ""); path != "" {
				l.name += path
			}
		}
	}
	return l
}

// variableName names a package variable as pkg.Var.
func variableName(g *ssa.Global) string {
	if g.Pkg == nil {
		return ""
	}
	return g.Pkg.Pkg.Name() + "." + g.Name()
}

// sameKind tells whether two locks have one name: they can be the same.
func (l lock) sameKind(m lock) bool { return l.owner == m.owner && l.name == m.name }

// forgotten returns the lock where its object has no name.
func (l lock) forgotten() lock {
	if _, isGlobal := l.at.root.(*ssa.Global); !isGlobal {
		l.at = place{}
	}
	return l
}

// guard is a lock as it is called for the accesses to an object: "mu" if it is one of the
// object itself, "Cache.mu" if it is one of another object, "pkg.mu" if it is a variable.
type guard struct {
	name string
	own  bool // of the object, or a variable that guards variables
}

// guardFor names the lock for an access to an object, or to a variable, which has no type.
// It has no name if it is the same lock of another object of the type.
func (l lock) guardFor(base place, t *types.TypeName) (g guard, ok bool) {
	if l.at.root != nil && base.root != nil {
		if rest, ok := l.at.within(base); ok && rest != "" {
			return guard{load.WithoutStated(strings.Trim(strings.ReplaceAll(rest, "*", ""), ".")), true}, true
		}
	}
	switch {
	case l.owner == nil:
		_, isGlobal := l.at.root.(*ssa.Global)
		return guard{load.WithoutStated(l.name), t == nil}, isGlobal
	case l.owner != t:
		return guard{l.owner.Name() + "." + load.WithoutStated(l.name), false}, true
	}
	return guard{load.WithoutStated(l.name), true}, l.at.root == nil || base.root == nil
}

// lockset is the locks that are held.
type lockset map[lock]mode

func (s lockset) clone() lockset {
	c := make(lockset, len(s))
	for l, m := range s {
		c[l] = m
	}
	return c
}

// meet keeps what is held in both, and tells whether that changed s. Of one lock whose
// object is known in one of them only, the object is forgotten.
func (s lockset) meet(t lockset) (changed bool) {
	met := lockset{}
	for l, m := range s {
		other := t[l]
		if other == 0 {
			l, other = l.meet(t)
		}
		if other != 0 {
			met[l] = max(met[l], min(m, other))
		}
	}
	changed = !maps.Equal(s, met)
	clear(s)
	maps.Copy(s, met)
	return changed
}

// meet returns the lock as it is known in t as well, and how it is held there.
func (l lock) meet(t lockset) (lock, mode) {
	best := mode(0)
	for other, m := range t {
		if l.sameKind(other) && (l.at.root == nil || other.at.root == nil) {
			best = max(best, m)
		}
	}
	return l.forgotten(), best
}

// release takes a lock out of the set: that at the place, or else all that it can be.
// It tells whether there was one.
func (s lockset) release(l lock) bool {
	if s[l] != 0 {
		delete(s, l)
		return true
	}
	found := false
	for other := range s {
		if other.sameKind(l) {
			delete(s, other)
			found = true
		}
	}
	return found
}
