package candidates

import (
	"fmt"
	"slices"
	"strings"
)

// leaveParts leaves out the sets of types that have no synchronisation of their own where each
// mention of their fields is one of the fields of another candidate that the object is part of, as
// s.stats.hits is of the fields stats.hits of s and hits of what s.stats is: they are one question.
func (f *finder) leaveParts(found *Found) {
	if len(f.Types) > 0 {
		return
	}
	kept := found.Candidates[:0:0]
	for _, c := range found.Candidates {
		o := f.ownerNamed(c.Type)
		var whole []string
		if o != nil && !o.hasSync && c.Set == "" {
			whole = f.wholesOf(o, c, found.Candidates)
		}
		if whole == nil {
			kept = append(kept, c)
			continue
		}
		found.Left = append(found.Left, Left{Name: c.Type, Part: true,
			Why: fmt.Sprintf("%s: checked as a part of %s", and(c.Fields), and(whole))})
	}
	found.Candidates = kept
}

// wholesOf returns the types of the other candidates that between them have all mentions of the fields
// of c, which belong to o; nil if there is another mention.
func (f *finder) wholesOf(o *owner, c Candidate, all []Candidate) (whole []string) {
	covered := map[string]bool{} // fields and positions
	for _, d := range all {
		outer := f.ownerNamed(d.Type)
		if outer == nil || outer == o {
			continue
		}
		for _, prefix := range prefixes(d.Fields) {
			if !isSubsetOf(c.Fields, prefix, d.Fields) {
				continue
			}
			for _, name := range c.Fields {
				for pos := range outer.fieldNamed(prefix + name).accesses {
					covered[fmt.Sprint(name, pos)] = true
				}
			}
			if name := shortTypeName(d.Type); !slices.Contains(whole, name) {
				whole = append(whole, name)
			}
		}
	}
	for _, name := range c.Fields {
		for pos := range o.fieldNamed(name).accesses {
			if !covered[fmt.Sprint(name, pos)] {
				return nil
			}
		}
	}
	return whole
}

// prefixes returns what the names of fields of parts begin with, as "stats." of stats.hits.
func prefixes(fields []string) []string {
	var all []string
	for _, name := range fields {
		if i := strings.LastIndex(name, "."); i >= 0 && !slices.Contains(all, name[:i+1]) {
			all = append(all, name[:i+1])
		}
	}
	return all
}

func isSubsetOf(fields []string, prefix string, of []string) bool {
	return !slices.ContainsFunc(fields, func(name string) bool { return !slices.Contains(of, prefix+name) })
}

func shortTypeName(name string) string { return name[strings.LastIndex(name, "/")+1:] }

func (f *finder) ownerNamed(name string) *owner {
	i := slices.IndexFunc(f.owners, func(o *owner) bool { return o.name == name })
	if i < 0 {
		return nil
	}
	return f.owners[i]
}

func (o *owner) fieldNamed(name string) *field {
	return o.fields[slices.IndexFunc(o.fields, func(x *field) bool { return x.name == name })]
}
