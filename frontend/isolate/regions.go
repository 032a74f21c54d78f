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
		if (pointsto.IsWithin(path, r.path) || pointsto.IsWithin(r.path, path)) && !slices.Contains(all, r.at) {
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
			seen := map[*pointsto.Object][]string{}
			for _, o := range sortedObjects(star.Objects) {
				if isPool((pointsto.Cell{Object: o, Path: pointsto.JoinPath(star.Path, name)}).Type()) {
					continue
				}
				for _, c := range i.under(star, o, name) {
					i.follow(c, Location{Star: k, Field: f}, seen)
				}
			}
		}
	}
}

// follow adds everything that the cell leads to, except what stands for itself. seen has
// the paths that were added, by object.
func (i *Isolation) follow(c pointsto.Cell, l Location, seen map[*pointsto.Object][]string) {
	for _, next := range i.graph.Contents(c).Cells() {
		i.followTo(next, l, seen)
	}
}

func (i *Isolation) followTo(next pointsto.Cell, l Location, seen map[*pointsto.Object][]string) {
	o := next.Object
	isInside := func(path string) bool { return pointsto.IsWithin(next.Path, path) }
	if slices.ContainsFunc(seen[o], isInside) || !i.IsContents(o) {
		return
	}
	seen[o] = append(seen[o], next.Path)
	if !i.isUnlocked(next) {
		i.regions[o] = append(i.regions[o], region{next.Path, l})
		if isPool(o.Type) {
			return
		}
	}
	for _, inner := range i.graph.Under(o, next.Path) {
		switch {
		case i.isUnlocked(inner):
			i.passUnlocked(inner, l, seen, map[*pointsto.Object]bool{})
		case !i.isPrivate(inner) && !i.isOtherwise(inner):
			i.follow(inner, l, seen)
		}
	}
	if isMapEntry(o.Type) {
		i.followEntry(o, l, seen)
	}
}

// passUnlocked adds, of all that memory leads to which is never used with a lock held, the objects of the module's
// types that are: that they are reached this way does not make them less the lock's. passed has the objects that were
// looked at on the way from there.
func (i *Isolation) passUnlocked(c pointsto.Cell, l Location, seen map[*pointsto.Object][]string,
	passed map[*pointsto.Object]bool) {
	for _, next := range i.graph.Contents(c).Cells() {
		o := next.Object
		if passed[o] || !i.IsContents(o) {
			continue
		}
		named := namedOf(o.Type)
		if named != nil && named.Pkg() != nil && i.program.InModule(named.Pkg().Path()) && !i.isUnlocked(next) {
			i.followTo(next, l, seen)
			continue
		}
		passed[o] = true
		for _, inner := range i.graph.Cells(o) {
			if !i.isHidden(inner) {
				i.passUnlocked(inner, l, seen, passed)
			}
		}
	}
}

// followEntry adds what the user has put into a sync.Map: that has the address of a part of
// each entry only, and gets at the whole. (The entries of all maps are one object: what the
// library has put into maps of its own is passed over.)
func (i *Isolation) followEntry(entry *pointsto.Object, l Location, seen map[*pointsto.Object][]string) {
	for _, part := range i.graph.Cells(entry) {
		for _, held := range i.graph.Contents(part).Cells() {
			if site := held.Object.Site; site != nil && i.program.Position(site.Pos()).InModule() {
				i.followTo(held, l, seen)
			}
		}
	}
}

// isMapEntry tells whether t is what a sync.Map keeps a key and a value in.
func isMapEntry(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "entry" && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "internal/sync"
}
