package races

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A lock guards a field if it is held at most of the accesses, or at half of them and all that write: what most code
// does is what is meant. Methods that come with an embedded field read it, too, and none can take a lock before.

// Discipline is at how many accesses of a field a lock of the object is held, and at how many none is.
type Discipline struct {
	Held, Bare int
	BareWrites int // of those where none is held
}

// IsEvident tells whether a lock evidently guards the field.
func (d Discipline) IsEvident() bool {
	return d.Held > d.Bare || d.Held == d.Bare && d.BareWrites == 0
}

// WhyNot says why no lock evidently guards a field.
func (d Discipline) WhyNot(field string) string {
	return fmt.Sprintf("no lock is held at %d of %d accesses to %s, so that none evidently guards it", d.Bare,
		d.Bare+d.Held, field)
}

// disciplines counts the accesses of each field. An instruction counts once: as one where no lock is held, if that is
// so on some way. What comes after a lock was let go, or is in a function that says of its callers that they lock,
// does not count.
func (w *walker) disciplines() map[string]Discipline {
	isHeld, writes := map[string]map[ssa.Instruction]bool{}, map[ssa.Instruction]bool{}
	for i := range w.accesses {
		a := &w.accesses[i]
		isHeldHere := slices.ContainsFunc(a.Locks, isOwn)
		if !isHeldHere && (len(a.taken) > 0 || a.Started == nil && hasContract(a.Entry)) {
			continue
		}
		if isHeld[a.Field] == nil {
			isHeld[a.Field] = map[ssa.Instruction]bool{}
		}
		known, ok := isHeld[a.Field][a.Instr]
		isHeld[a.Field][a.Instr] = (known || !ok) && isHeldHere
		writes[a.Instr] = a.IsWrite
	}
	all := map[string]Discipline{}
	for field, accesses := range isHeld {
		d := Discipline{Bare: w.promoted(field)}
		for instr, held := range accesses {
			switch {
			case held:
				d.Held++
				continue
			case writes[instr]:
				d.BareWrites++
			}
			d.Bare++
		}
		all[field] = d
	}
	return all
}

// promoted returns how many exported methods come with a field that is embedded, and is a pointer or an interface: they
// read it.
func (w *walker) promoted(field string) (n int) {
	structure, ok := w.subject.Underlying().(*types.Struct)
	if !ok {
		return 0
	}
	for m := range types.NewMethodSet(types.NewPointer(w.subject)).Methods() {
		if len(m.Index()) == 1 || !m.Obj().Exported() {
			continue // it is the type's own
		}
		f := structure.Field(m.Index()[0])
		if f.Name() != field {
			continue
		}
		switch f.Type().Underlying().(type) {
		case *types.Pointer, *types.Interface:
			n++
		}
	}
	return n
}
