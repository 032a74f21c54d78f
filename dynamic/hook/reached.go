package hook

import (
	"slices"
	"unsafe"

	"github.com/empire-go/empire-go/dynamic/trace"
)

// What a field leads to counts as the field: elements of its slice or map, nodes of its list,
// whatever is behind its pointers. Such memory is accessed through other names than that of the
// field, so a hook that is handed it has to find out whose it is. The class of a Ref to such an
// access is reachedClass with the number of the field, and its offset is flags.
//
// Where one goroutine runs at a time, the fields of all objects are followed at each access: see
// reach. Elsewhere that is no option, nor would it be cheap. There a registry has what was
// read from a field, or from memory that is known to be reached by it, as long as the field holds it.
// In steered runs it has what the field has held: the static half knows where that still counts.

// reachedClass marks the class of a Ref to memory that a field leads to; ownedClass is the class
// of such memory in the table of objects.
const (
	reachedClass = 1 << 15
	ownedClass   = 1<<16 - 1
)

// What a Ref to memory that a field leads to says of the operand.
const (
	leadsOn     = 1 << iota // what is accessed is a pointer, which leads on
	isPointer               // the operand is a pointer, slice or map, and the access is behind it
	isInterface             // likewise, an interface
	isDeep                  // the access may be anywhere behind the operand
	isFirst                 // of the operands of a call
)

func (r Ref) isReached() bool        { return r.class()&reachedClass != 0 }
func (r Ref) field() uint16          { return r.class() &^ reachedClass }
func (r Ref) says(flag uintptr) bool { return r.offset()&flag != 0 }

// isNobodys tells whether no field leads to the memory at p, by what can be seen at a glance.
func isNobodys(p unsafe.Pointer, ref Ref) bool {
	return watchedFields[ref.field()] == nil && !ownedPages.has(uintptr(p))
}

// reached records an access to the memory at p, for each object whose field leads there.
func (g *Goroutine) reached(op trace.Op, p unsafe.Pointer, ref Ref) {
	if steering != nil {
		for _, o := range g.reach(op, single(p), ref, g.ownersOf(p, ref)) {
			g.accessed(op, o, ref)
		}
		return
	}
	if watchedFields[ref.field()] != nil {
		if o := variableAt(g, p, ref); o != nil {
			g.stop(op, o, ref)
			g.accessed(op, o, ref)
			return
		}
	}
	for _, from := range g.ownersOf(p, ref) {
		g.stop(op, from.owner, ref)
		g.accessed(op, from.owner, ref)
		if ref.says(leadsOn) && op == trace.Read {
			from.direct = false
			g.leads(from, p)
		}
	}
}

// reachedFrom returns the objects whose field leads to the memory at p, after the goroutine has waited for
// its turn to access it.
func (g *Goroutine) reachedFrom(op trace.Op, p unsafe.Pointer, ref Ref) []*object {
	if steering != nil {
		return g.reach(op, single(p), ref, g.ownersOf(p, ref))
	}
	var all []*object
	if o := variableAt(g, p, ref); o != nil {
		all = append(all, o)
	}
	for _, from := range g.ownersOf(p, ref) {
		all = append(all, from.owner)
	}
	for _, o := range all {
		g.stop(op, o, ref)
	}
	return all
}

// stop is the point before an access to an object.
func (g *Goroutine) stop(op trace.Op, o *object, ref Ref) {
	if g.slow {
		g.point(op, ref.site(), o.number)
	}
}

func (g *Goroutine) accessed(op trace.Op, o *object, ref Ref) {
	if reducing {
		site := ref.site()
		if g.hush.state.Load() == loud || !g.notesAccess(op, o, site, 1) {
			g.reducedLoudly(g.remembered(o, reducedSites[site].Set), op, o, site)
		}
		return
	}
	g.record(op, ref.site(), o.number, o.version.Add(1)-1)
}

// Through returns an operand through which memory is accessed that a field may lead to.
func Through[V any](g *Goroutine, op uint8, v V, ref Ref) V {
	if !g.off {
		through(g, trace.Op(op), &v, ref)
	}
	return v
}

// Others returns an operand behind which the field of an object is written that has just been named. The
// same field of other objects may lead there as well.
func Others[V any](g *Goroutine, v V, ref Ref) V {
	f := watchedFields[ref.field()]
	p := *(*unsafe.Pointer)(hide(unsafe.Pointer(&v)))
	if g.off || steering == nil || f == nil || p == nil {
		return v
	}
	for _, o := range f.owners(g) {
		if o.number == g.named || !f.reaches(o, single(p)) {
			continue
		}
		g.point(trace.Write, ref.site(), o.number)
		if f.reaches(o, single(p)) {
			g.accessed(trace.Write, o, ref)
		}
	}
	return v
}

// WroteThrough is Through as the last operand of an assignment.
func WroteThrough[V any](g *Goroutine, v V, ref Ref) None {
	if !g.off {
		through(g, trace.Write, &v, ref)
	}
	return None{}
}

func through[V any](g *Goroutine, op trace.Op, v *V, ref Ref) {
	p := hide(unsafe.Pointer(v))
	if steering != nil && ref.says(isDeep) {
		g.reachDeep(op, typeOf(v), p, ref)
		return
	}
	switch {
	case ref.says(isPointer):
		p = *(*unsafe.Pointer)(p)
	case ref.says(isInterface):
		p = (*words)(p).data
	default:
		return
	}
	if p != nil {
		g.reached(op, p, ref)
	}
}

// ownership is which object owns memory: through the field with a number. The memory is what the
// field holds, at an offset in the object, if it is direct.
type ownership struct {
	owner  *object
	field  uint16
	direct bool
	offset uintptr
}

// maxOwners is how many fields may lead to memory that the registry knows.
const maxOwners = 4

// leads notes that what is at p, a pointer, slice or map, leads to memory that the object owns.
func (g *Goroutine) leads(from ownership, p unsafe.Pointer) {
	if !g.isLed(&from, p) {
		g.leadsNow(from, p, *(*unsafe.Pointer)(p))
	}
}

// isLed tells whether it is known where what is at p leads, or that is nowhere.
func (g *Goroutine) isLed(from *ownership, p unsafe.Pointer) bool {
	to := *(*unsafe.Pointer)(p)
	return to == nil || isLed(from, p, to)
}

// leadsNow is leads where it is not known yet.
func (g *Goroutine) leadsNow(from ownership, p, to unsafe.Pointer) {
	o, base := g.memoryAt(to)
	if base == 0 {
		return
	}
	if o == nil {
		ownedPages.add(base, platformSize(to))
		key := objectKey(base, ownedClass)
		if o = objects.add(g, *(*unsafe.Pointer)(unsafe.Pointer(&base)), ownedClass, key, true); o == nil {
			return
		}
	}
	loss := lossesOf(base)
	since := ledSince(loss)
	var owners []ownership
	if old := o.from.Load(); old != nil {
		if owners = *old; slices.Contains(owners, from) {
			noteLed(&from, p, to, loss, since)
			return
		}
	}
	before := len(owners)
	owners = slices.DeleteFunc(slices.Clone(owners), func(f ownership) bool {
		return f.field == from.field && (f.owner == from.owner || f.direct && !f.holds(base))
	})
	if len(owners) == maxOwners {
		i := g.leastOf(owners, from, p)
		if i < 0 {
			noteLed(&from, p, to, loss, since)
			return
		}
		owners = slices.Delete(owners, i, i+1)
	}
	o.from.Store(new(append(owners, from)))
	if len(owners) < before {
		losses[loss].Add(1)
		shifts.Add(1)
	}
}

// leastOf returns which of the owners of memory makes room for one that p has led there, -1 if that one is to stay
// away: an owner that does not own where p is has been led there by something that may be no more. In a tree each node
// has all that are above it, so that the owners would drive each other out at each step.
func (g *Goroutine) leastOf(owners []ownership, from ownership, p unsafe.Pointer) int {
	var above []ownership
	if memory, _ := g.memoryAt(p); memory != nil && memory.from.Load() != nil {
		above = *memory.from.Load()
	}
	isOld := func(f ownership) bool {
		return !f.direct && !slices.ContainsFunc(above, func(a ownership) bool {
			return a.owner == f.owner && a.field == f.field
		})
	}
	i := slices.IndexFunc(owners, isOld)
	if i < 0 && from.direct {
		i = max(0, slices.IndexFunc(owners, func(f ownership) bool { return !f.direct }))
	}
	return i
}

// ownersOf returns who owns the memory at p through the field of ref, as far as the registry
// knows, until it is asked again. What was taken out of the field is nobody's.
func (g *Goroutine) ownersOf(p unsafe.Pointer, ref Ref) []ownership {
	if !ownedPages.has(uintptr(p)) {
		return nil
	}
	memory, base := g.memoryAt(p)
	if memory == nil {
		return nil
	}
	from := memory.from.Load()
	if from == nil {
		return nil
	}
	if owners := *from; len(owners) == 1 {
		if owners[0].field == ref.field() && (!owners[0].direct || owners[0].holds(base)) {
			return owners
		}
		return nil
	}
	found := g.owners[:0]
	for _, f := range *from {
		if f.field == ref.field() && (!f.direct || f.holds(base)) {
			found = append(found, f)
		}
	}
	return found
}

// memoryAt returns the memory at p that the registry knows, nil if it does not, and where it begins.
func (g *Goroutine) memoryAt(p unsafe.Pointer) (*object, uintptr) {
	if !reducing {
		base := platformBase(p)
		return objects.known(objectKey(base, ownedClass)), base
	}
	if b := &g.recent.block; uintptr(p)-b.base < b.size && b.cycle == platformCycle() {
		return b.object, b.base
	}
	if o := g.recalled(objectKey(uintptr(p), ownedClass)); o != nil { // mostly it is where the memory begins
		return o, uintptr(p)
	}
	w := g.recent.place(uintptr(p))
	if w.key == uint64(uintptr(p)) && w.cycle == platformCycle() {
		return w.object, w.object.address()
	}
	base := platformBase(p)
	o := g.recalled(objectKey(base, ownedClass))
	if o == nil {
		o = objects.known(objectKey(base, ownedClass))
		g.remember(objectKey(base, ownedClass), o)
	}
	if o != nil {
		*w = way{key: uint64(uintptr(p)), object: o, cycle: platformCycle()}
		g.recent.block = block{base: base, size: platformSize(p), object: o, cycle: platformCycle()}
	}
	return o, base
}

// ownerOf returns one of the objects whose field of ref leads to p, nil if there is none.
func (g *Goroutine) ownerOf(p unsafe.Pointer, ref Ref) *object {
	if p == nil {
		return nil
	}
	if f := watchedFields[ref.field()]; steering != nil && f != nil {
		i := slices.IndexFunc(f.owners(g), func(o *object) bool { return f.reaches(o, single(p)) })
		if i < 0 {
			return nil
		}
		return f.owners(g)[i]
	}
	for _, from := range g.ownersOf(p, ref) {
		return from.owner
	}
	return nil
}

// holds tells whether the field that has led to memory leads there now.
func (from *ownership) holds(base uintptr) bool {
	object := from.owner.current()
	if object == nil {
		return false
	}
	to := *(*unsafe.Pointer)(unsafe.Add(object, from.offset))
	return uintptr(to) == base || platformBase(to) == base
}

// LoadLeading is Load(g, Leading(g, p, ref, field), ref).
func LoadLeading[F any](g *Goroutine, p *F, ref Ref, field uint16) F {
	g.accessLeading(unsafe.Pointer(p), ref, field)
	return *p
}

// ReadLeading is Read(g, Leading(g, p, ref, field), ref).
func ReadLeading[F any](g *Goroutine, p *F, ref Ref, field uint16) *F {
	g.accessLeading(unsafe.Pointer(p), ref, field)
	return p
}

// accessLeading looks for the object once, if nothing new is to be noted.
func (g *Goroutine) accessLeading(p unsafe.Pointer, ref Ref, field uint16) {
	if reducing && !g.slow && p != nil {
		w := g.wayTo(objectKey(uintptr(p)-ref.offset(), ref.class()))
		if w != nil && g.recent.isLed(w, field, ref.offset(), p) {
			if g.hush.state.Load() == loud || !g.notesAccess(trace.Read, w.object, ref.site(), 1) {
				g.reducedLoudly(w.user, trace.Read, w.object, ref.site())
			}
			return
		}
	}
	g.leading(p, ref, field)
	g.access(trace.Read, p, ref)
}

// Leading returns the address of a field that has just been named in an access by ref, after noting
// that the field with that number leads to memory.
func Leading[F any](g *Goroutine, p *F, ref Ref, field uint16) *F {
	g.leading(unsafe.Pointer(p), ref, field)
	return p
}

func (g *Goroutine) leading(p unsafe.Pointer, ref Ref, field uint16) {
	if g.off {
		return
	}
	if o := g.objectAt(unsafe.Add(p, -int(ref.offset())), ref.class()); o != nil {
		g.leads(ownership{o, field, steering == nil, ref.offset()}, p)
	}
}
