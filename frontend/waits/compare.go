package waits

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Worse says why a program may have a deadlock that it has not had before some functions were changed; "" if it has
// none. That is so where a new edge lies on a cycle, or a lock is newly held at a wait for anything but a lock; and
// where a function newly takes a lock that is held at such a wait, as it may be what is waited for. A function that
// is not balanced any more counts, too. Everything else that can be waited for after the change could be waited for,
// with the same locks held, before it. Of a changed function an edge has to have been certain; and one on a cycle is
// no excuse, as it may have been about other objects than those that it is about now.
func (o *Order) Worse(before *Order, changed []string) string {
	for _, e := range o.Edges() {
		was := e
		was.certain = isOf(e.Holder, changed)
		if before.edges[was] && (!was.certain || e.For.What != "") {
			continue
		}
		switch {
		case e.For.What != "":
			return fmt.Sprintf("%s would hold %s while %s %s", short(e.Holder), short(e.Held.Name), short(e.For.Function),
				e.For.What)
		case e.For.Lock.Name == e.Held.Name:
			return fmt.Sprintf("%s would hold %s while %s takes it", short(e.Holder), short(e.Held.Name),
				short(e.For.Function))
		case o.leadsTo(e.For.Lock.Name, func(x Edge) bool { return x.For.Lock.Name == e.Held.Name }):
			return fmt.Sprintf("%s would take %s while %s holds %s, which elsewhere is the other way round",
				short(e.For.Function), short(e.For.Lock.Name), short(e.Holder), short(e.Held.Name))
		}
	}
	for _, function := range slices.Sorted(maps.Keys(o.leaves)) {
		for _, lock := range slices.Sorted(maps.Keys(o.leaves[function])) {
			if !before.leaves[function][lock] {
				return fmt.Sprintf("%s would not release %s, or release what it has not taken", short(function), short(lock))
			}
		}
	}
	for _, take := range o.newTakes(before) {
		for _, e := range o.Edges() {
			if e.For.What != "" && (take.Lock.Name == e.Held.Name ||
				o.leadsTo(take.Lock.Name, func(x Edge) bool { return x.For.Lock.Name == e.Held.Name })) {
				return fmt.Sprintf("%s would take %s, which %s holds while %s %s", short(take.Function),
					short(take.Lock.Name), short(e.Holder), short(e.For.Function), e.For.What)
			}
		}
	}
	return ""
}

// isOf tells whether a function is one of some, or a function literal in one of them.
func isOf(function string, some []string) bool {
	for _, name := range some {
		name = typeArguments.ReplaceAllString(name, "")
		if function == name || strings.HasPrefix(function, name+"$") {
			return true
		}
	}
	return false
}

// newTakes returns the locks that functions take and have not taken before, in a fixed order.
func (o *Order) newTakes(before *Order) (all []Event) {
	for take := range o.takes {
		if !before.takes[take] {
			all = append(all, take)
		}
	}
	slices.SortFunc(all, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Function, b.Function), cmp.Compare(a.Lock.Name, b.Lock.Name),
			compareBool(a.Lock.Shared, b.Lock.Shared))
	})
	return all
}

// leadsTo tells whether an edge for which is is true can be reached from a lock.
func (o *Order) leadsTo(lock string, is func(Edge) bool) bool {
	seen := map[string]bool{lock: true}
	for queue := []string{lock}; len(queue) > 0; queue = queue[1:] {
		for e := range o.edges {
			if e.Held.Name != queue[0] {
				continue
			}
			if is(e) {
				return true
			}
			if next := e.For.Lock.Name; next != "" && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// short leaves the path of the package out of a name.
func short(name string) string {
	begin := strings.LastIndexAny(name, "(*") + 1
	if slash := strings.LastIndexByte(name, '/'); slash > begin {
		return name[:begin] + name[slash+1:]
	}
	return name
}
