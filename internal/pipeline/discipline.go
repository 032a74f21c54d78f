package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/empire-go/empire-go/frontend/candidates"
)

// DisciplineResult is which lock guards which fields. Its JSON form is part of the contract: fields may be
// added, none is renamed.
type DisciplineResult struct {
	Schema     int          `json:"schema"` // 1
	Tool       Tool         `json:"tool"`
	Invocation Invocation   `json:"invocation"`
	ModuleRoot string       `json:"moduleRoot"`
	Types      []Discipline `json:"types"` // those of which a lock guards a field, in the order of their places
	Reason     string       `json:"reason,omitempty"`

	ModuleRootDir string `json:"-"` // where the sources are
}

// Discipline is that of a type, or of the variables of a package.
type Discipline struct {
	Type     string           `json:"type"` // "" for the variables of a package
	Pos      string           `json:"pos"`
	Locks    []LockDiscipline `json:"locks"`
	Loose    []GuardedField   `json:"loose"`    // fields that are written once an object is made, and that no lock guards
	Constant []string         `json:"constant"` // fields that are not
}

// LockDiscipline is what a lock guards.
type LockDiscipline struct {
	Lock   string         `json:"lock"`
	Own    bool           `json:"own"` // it is of the object itself, or a variable that guards variables
	Pos    string         `json:"pos"` // where it is declared, if it is there
	Fields []GuardedField `json:"fields"`
}

// GuardedField is a field and how it is accessed once an object is made.
type GuardedField struct {
	Name     string         `json:"name"`
	Accesses int            `json:"accesses"`
	Atomic   bool           `json:"atomic,omitempty"` // all of them
	Claim    string         `json:"claim,omitempty"`  // where a comment says that the lock guards it
	Unheld   []UnheldAccess `json:"unheld,omitempty"`
}

// UnheldAccess is an access at which the lock is not held.
type UnheldAccess struct {
	Pos      string `json:"pos"`
	Function string `json:"function"`
	Write    bool   `json:"write"`
	Shared   bool   `json:"shared,omitempty"` // the lock is held, but only for reading
	Atomic   bool   `json:"atomic,omitempty"`
}

// LockDisciplines finds out which lock guards which fields of the types in the packages named, by what their
// programs and clients do. That there are none is no error: DisciplineResult.Reason says why.
func LockDisciplines(ctx context.Context, r Request) (*DisciplineResult, error) {
	s, err := lookAround(ctx, r)
	if err != nil {
		return nil, err
	}
	empty := s.empty
	result := &DisciplineResult{Schema: 1, Tool: empty.Tool, Invocation: empty.Invocation, ModuleRoot: empty.ModuleRoot,
		ModuleRootDir: empty.ModuleRootDir, Types: []Discipline{}, Reason: s.reason}
	for _, part := range s.found {
		for _, d := range part.Disciplines {
			result.Types = append(result.Types, disciplineOf(d))
		}
	}
	slices.SortStableFunc(result.Types, func(a, b Discipline) int {
		return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Pos, b.Pos))
	})
	if len(result.Types) == 0 && result.Reason == "" {
		result.Reason = "no lock is held where fields of a type in these packages are accessed"
	}
	return result, nil
}

func disciplineOf(d candidates.Discipline) Discipline {
	out := Discipline{Type: d.Type, Pos: d.Pos, Locks: []LockDiscipline{}, Loose: guardedFields(d.Loose),
		Constant: append([]string{}, d.Constant...)}
	for _, l := range d.Locks {
		out.Locks = append(out.Locks, LockDiscipline{l.Lock, l.Own, l.Pos, guardedFields(l.Fields)})
	}
	return out
}

func guardedFields(all []candidates.Guarded) []GuardedField {
	out := []GuardedField{}
	for _, g := range all {
		field := GuardedField{Name: g.Name, Accesses: g.Accesses, Atomic: g.Atomic, Claim: g.Claim}
		for _, u := range g.Unheld {
			field.Unheld = append(field.Unheld, UnheldAccess{u.Pos, u.Function, u.Write, u.Shared, u.Atomic})
		}
		out = append(out, field)
	}
	return out
}
