package candidates

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// most bounds the places and names in a sentence.
const most = 3

// position names a place in the source, without the column.
func (f *finder) position(pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	p := f.Programs[0].Position(pos)
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// evidence says why the fields are a group. all is the fields of the type.
func (f *finder) evidence(g group, all []*field) []string {
	var sentences []string
	if g.set != "" {
		sentences = append(sentences, "//empire:atomic "+g.set+" names "+and(g.names()))
	}
	sentences = append(sentences, f.claims(g)...)
	if g.guard.name != "" {
		sentences = append(sentences, f.guarding(g)...)
	} else {
		sentences = append(sentences, f.unguarded(g)...)
	}
	if s := f.together(g); s != "" {
		sentences = append(sentences, s)
	}
	var constant []string
	for _, x := range all {
		if !x.isMutable() && x.set == "" {
			constant = append(constant, x.name)
		}
	}
	if len(constant) > 0 {
		sentences = append(sentences, "left out, as not written once an object is made: "+strings.Join(constant, ", "))
	}
	return sentences
}

// claims says which comments name the lock.
func (f *finder) claims(g group) []string {
	var names, places []string
	for _, x := range g.fields {
		if c := x.claim; c.guard == g.guard && g.guard.name != "" {
			names = append(names, x.name)
			if at := f.position(c.pos); !slices.Contains(places, at) {
				places = append(places, at)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("a comment says that %s is for %s: %s", g.guard.name, and(names), some(places))}
}

// guarding says how often the lock is held, and where it is not.
func (f *finder) guarding(g group) []string {
	var always []string
	var partly []string
	for _, x := range g.fields {
		accesses := x.sorted()
		if len(accesses) == 0 {
			continue // by annotation only
		}
		var failing []string
		held := 0
		for _, a := range accesses {
			if u := a.failing(g.guard); u != nil {
				if at := f.without(a, u, g.guard); !slices.Contains(failing, at) {
					failing = append(failing, at)
				}
			} else {
				held++
			}
		}
		switch {
		case held == 0 && x.isFlag() && !slices.Contains(g.ownFields(), x):
			partly = append(partly, fmt.Sprintf("%s is a flag: it is looked at before other fields are accessed, and set where "+
				"they are", x.name))
		case len(failing) == 0:
			always = append(always, fmt.Sprintf("%s (%d)", x.name, held))
		default:
			partly = append(partly, fmt.Sprintf("%s is held at %d of %s to %s, not at %s", g.guard.name, held,
				count(len(accesses), "access"), x.name, some(failing)))
		}
	}
	if len(always) > 0 {
		partly = append(partly, fmt.Sprintf("%s is held at all accesses to %s", g.guard.name, and(always)))
	}
	return partly
}

// without says where the lock is not held.
func (f *finder) without(a *access, u *heldAt, g guard) string {
	at := f.position(u.pos) + " in " + f.functionName(a.fn)
	if a.uses[0].holds(g) && f.position(a.pos) != f.position(u.pos) {
		at += " (by what was read at " + f.position(a.pos) + ")"
	}
	switch {
	case u.guards[g] == reading:
		return at + " (a write, and it is held for reading)"
	case u.kind&atomically != 0:
		return at + " (atomically)"
	}
	return at
}

// unguarded says how fields without a lock are accessed.
func (f *finder) unguarded(g group) []string {
	var sentences []string
	for _, x := range g.fields {
		n := len(x.accesses)
		switch {
		case n == 0:
		case x.isAtomic():
			sentences = append(sentences, fmt.Sprintf("%s is accessed atomically, %s", x.name, times(n)))
		default:
			how := "no lock is held at %s to %s: %s"
			if x.isEverGuarded() {
				how = "no lock is held at most of %s to %s: %s"
			}
			sentences = append(sentences, fmt.Sprintf(how, count(n, "access"), x.name, some(f.places(x))))
		}
	}
	return sentences
}

// isAtomic tells whether all accesses are atomic operations.
func (f *field) isAtomic() bool {
	return len(f.accesses) > 0 && !f.hasUse(func(u heldAt) bool { return u.kind&atomically == 0 })
}

// isEverGuarded tells whether a lock is held at an access.
func (f *field) isEverGuarded() bool {
	for _, a := range f.accesses {
		if len(a.guards()) > 0 {
			return true
		}
	}
	return false
}

// isMeantForSeveral tells whether a lock is held at a write. That one is held at a few reads says nothing, as it may be
// for something else that is done there.
func (f *field) isMeantForSeveral() bool {
	for _, a := range f.accesses {
		isLocked := func(u heldAt) bool { return u.kind&writes != 0 && u.locked }
		if slices.ContainsFunc(a.uses, isLocked) || a.kind&writes != 0 && len(a.guards()) > 0 {
			return true
		}
	}
	return false
}

func (f *finder) places(x *field) []string {
	var all []string
	for _, a := range x.sorted() {
		if at := f.position(a.pos); !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// together says which functions access several of the fields.
func (f *finder) together(g group) string {
	if len(g.fields) < 2 {
		return ""
	}
	fieldsIn := map[string][]string{}
	var functions []string
	for _, x := range g.fields {
		for _, a := range x.sorted() {
			name := f.functionName(a.fn)
			if fieldsIn[name] == nil {
				functions = append(functions, name)
			}
			if !slices.Contains(fieldsIn[name], x.name) {
				fieldsIn[name] = append(fieldsIn[name], x.name)
			}
		}
	}
	functions = slices.DeleteFunc(functions, func(name string) bool { return len(fieldsIn[name]) < 2 })
	if len(functions) == 0 {
		return ""
	}
	slices.SortStableFunc(functions, func(a, b string) int { return len(fieldsIn[b]) - len(fieldsIn[a]) })
	return fmt.Sprintf("%s are accessed together in %s", and(fieldsIn[functions[0]]), some(functions))
}

// severalAccess tells whether two goroutines access the fields.
func (f *finder) severalAccess(fields []*field) bool {
	s := &share{written: true}
	for _, x := range fields {
		s.by.add(x.by)
	}
	return f.shared(s)
}

// sharing says which goroutines share objects, which are made at others as well as the sites.
func (f *finder) sharing(c Candidate, others int) []string {
	switch {
	case f.Clients && c.Shared:
		return []string{"it is in a library, whose clients can share its objects between goroutines"}
	case f.Clients:
		return nil
	}
	var shared, alone []string
	for _, s := range c.Sites {
		if s.Shared {
			shared = append(shared, s.Site+" by "+some(s.By))
		} else {
			alone = append(alone, s.Site)
		}
	}
	var sentences []string
	if len(shared) > 0 {
		sentences = append(sentences, "shared between goroutines: what is made at "+some(shared))
	}
	if len(alone) > 0 {
		sentences = append(sentences, "used by one goroutine: what is made at "+some(alone))
	}
	if others > 0 {
		sentences = append(sentences, "not evidently shared: what is made at "+count(others, "other place"))
	}
	return sentences
}

// variableSharing says which goroutines access the variables.
func (f *finder) variableSharing(g group) string {
	var by goroutineSet
	for _, x := range g.fields {
		by.add(x.by)
	}
	if f.severalAccess(g.fields) {
		return "shared between goroutines: " + some(f.goroutineNames(by))
	}
	return "used by one goroutine: " + some(f.goroutineNames(by))
}

// some lists the first few.
func some(all []string) string {
	if len(all) > most {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", len(all)-most)
	}
	return and(all)
}

// and joins names to a phrase.
func and(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
