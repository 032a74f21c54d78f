package isolate

import (
	"go/types"
	"slices"

	"github.com/empire-go/empire-go/frontend/pointsto"
)

// region is a part of an object that a field of a star leads to: a pointer to a buffer
// inside a struct leads to the buffer, and to nothing beside it.
type region struct {
	path string
	at   Location
}

// Regions returns the locations whose memory the object, or a part of it, is: those
// whose field leads there.
func (i *Isolation) Regions(o *pointsto.Object) []Location { return i.regionsAt(o, "") }

// RegionsAt returns the locations whose memory can be reached through a pointer to the
// cell: it is inside of their memory, or around it.
func (i *Isolation) RegionsAt(c pointsto.Cell) []Location {
	if len(i.regions[c.Object]) == 0 || i.IsLeftApart(c.Object) || i.isPrivate(c) || i.isOtherwise(c) {
		return nil
	}
	return i.regionsAt(c.Object, c.Path)
}

func (i *Isolation) regionsAt(o *pointsto.Object, path string) []Location {
	var all []Location
	for _, r := range i.regions[o] {
		if pointsto.Overlaps(path, r.path) && !slices.Contains(all, r.at) {
			all = append(all, r.at)
		}
	}
	return all
}

// forget has it asked again which locations there are in memory.
func (i *Isolation) forget() { i.located = map[pointsto.Cell][]Location{} }

// findRegions follows the fields of the stars.
func (i *Isolation) findRegions() {
	i.regions = map[*pointsto.Object][]region{}
	defer i.forget()
	for k, star := range i.Stars {
		for f, name := range i.Subject.Fields {
			w := &follower{Isolation: i, at: Location{Star: k, Field: f}, seen: map[*pointsto.Object][]string{},
				passed: map[*pointsto.Object]bool{}}
			for _, o := range sortedObjects(star.Objects) {
				if isPool((pointsto.Cell{Object: o, Path: pointsto.JoinPath(star.Path, name)}).Type()) {
					continue
				}
				for _, c := range i.under(star, o, name) {
					w.follow(c)
				}
			}
		}
	}
}

// follower finds the memory that a field leads to. It looks at each object once for each of its parts that is met:
// linear in what is there.
type follower struct {
	*Isolation
	at     Location
	seen   map[*pointsto.Object][]string // the paths that were added
	passed map[*pointsto.Object]bool     // see passUnlocked
}

// follow adds everything that the cell leads to, except what stands for itself.
func (w *follower) follow(c pointsto.Cell) {
	for _, next := range w.graph.Contents(c).Cells() {
		w.followTo(next)
	}
}

func (w *follower) followTo(next pointsto.Cell) {
	o := next.Object
	isInside := func(path string) bool { return pointsto.IsWithin(next.Path, path) }
	if slices.ContainsFunc(w.seen[o], isInside) || !w.IsContents(o) {
		return
	}
	w.seen[o] = append(w.seen[o], next.Path)
	if !w.isUnlocked(next) {
		w.regions[o] = append(w.regions[o], region{next.Path, w.at})
		if isPool(o.Type) {
			return
		}
	}
	for _, inner := range w.graph.Under(o, next.Path) {
		switch {
		case w.isUnlocked(inner):
			w.passUnlocked(inner)
		case !w.isPrivate(inner) && !w.isOtherwise(inner):
			w.follow(inner)
		}
	}
	if isMapEntry(o.Type) {
		w.followEntry(o)
	}
}

// passUnlocked adds, of all that memory leads to which is never used with a lock held, the objects of the module's
// types that are: that they are reached this way does not make them less the lock's. passed has the objects that were
// looked at.
func (w *follower) passUnlocked(c pointsto.Cell) {
	for _, next := range w.graph.Contents(c).Cells() {
		o := next.Object
		if w.passed[o] || !w.IsContents(o) {
			continue
		}
		named := namedOf(o.Type)
		if named != nil && named.Pkg() != nil && w.program.InModule(named.Pkg().Path()) && !w.isUnlocked(next) {
			w.followTo(next)
			continue
		}
		w.passed[o] = true
		for _, inner := range w.graph.Cells(o) {
			if !w.isHidden(inner) {
				w.passUnlocked(inner)
			}
		}
	}
}

// followEntry adds what the user has put into a sync.Map: that has the address of a part of
// each entry only, and gets at the whole. (The entries of all maps are one object: what the
// library has put into maps of its own is passed over.)
func (w *follower) followEntry(entry *pointsto.Object) {
	for _, part := range w.graph.Cells(entry) {
		for _, held := range w.graph.Contents(part).Cells() {
			if site := held.Object.Site; site != nil && w.program.Position(site.Pos()).InModule() {
				w.followTo(held)
			}
		}
	}
}

// isMapEntry tells whether t is what a sync.Map keeps a key and a value in.
func isMapEntry(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "entry" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "internal/sync"
}
