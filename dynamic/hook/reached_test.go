package hook

import (
	"os"
	"slices"
	"testing"
	"unsafe"
)

// link is in a list. What is at its address is where it leads.
type link struct{ next *link }

// list is links with the first one, and what is known of them as objects.
type list struct {
	g     *Goroutine
	links []*link
	all   []*object
}

const linkField = 1

func newList(g *Goroutine, links ...*link) *list {
	l := &list{g: g, links: links}
	for i, x := range links {
		if i > 0 {
			links[i-1].next = x
		}
		key := objectKey(uintptr(unsafe.Pointer(x)), thingClass)
		l.all = append(l.all, objects.add(g, unsafe.Pointer(x), thingClass, key, true))
	}
	return l
}

// read does what the hooks do where a goroutine goes through the list.
func (l *list) read() {
	for i, x := range l.links {
		p := unsafe.Pointer(&x.next)
		l.g.leads(ownership{l.all[i], linkField, true, 0}, p)
		for _, from := range slices.Clone(l.g.ownersOf(p, (reachedClass|linkField)<<24)) {
			from.direct = false
			l.g.leads(from, p)
		}
	}
}

func lossesOfAll() (n uint32) {
	for i := range losses {
		n += losses[i].Load()
	}
	return n
}

// TestOwnersOfLists has more owners above what is deep in a list than memory can have. They do not drive each other
// out, the one next to it stays, and those of another list into which it comes take their place.
func TestOwnersOfLists(t *testing.T) {
	inOneCycle(t)
	file := record(t)
	defer os.Remove(file.Name())
	defer file.Close()
	g := &Goroutine{number: 1}
	links := make([]*link, 12)
	for i := range links {
		links[i] = new(link)
	}
	old := newList(g, links[:10]...)
	owners := func(x *link) []*object {
		var all []*object
		for _, f := range g.ownersOf(unsafe.Pointer(x), (reachedClass|linkField)<<24) {
			all = append(all, f.owner)
		}
		return all
	}
	old.read()
	old.read()
	before := lossesOfAll()
	for range 3 {
		old.read()
	}
	if n := lossesOfAll(); n != before {
		t.Errorf("%d owners were forgotten where nothing changed", n-before)
	}
	for i := 1; i < 10; i++ {
		if found := owners(links[i]); len(found) != min(i, maxOwners) || !slices.Contains(found, old.all[i-1]) {
			t.Errorf("link %d has %d owners; the one before it: %t", i, len(found), slices.Contains(found, old.all[i-1]))
		}
	}
	links[4].next = nil
	other := newList(g, links[10], links[11])
	links[11].next = links[5]
	other.read()
	if found := owners(links[5]); !slices.Contains(found, other.all[0]) || !slices.Contains(found, other.all[1]) ||
		slices.Contains(found, old.all[4]) {
		t.Errorf("of the other list %t and %t are owners; of the old one: %t", slices.Contains(found, other.all[0]),
			slices.Contains(found, other.all[1]), slices.Contains(found, old.all[4]))
	}
}
