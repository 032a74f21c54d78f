package execute

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// An outcome tells of the package variables, too. The tables of large programs are large, and most runs touch few of
// them. Variables that lead to the same memory make a component. Where neither a run nor what came before has touched
// one of its variables, or they have left all as they were after the initialisation, an outcome tells nothing of it. So
// outcomes have the same lines where they are the same, and cost what was touched.

// sharing is the variables that lead to memory to which others lead, too: each with another one of its component, and
// that of a component which stands for it with itself. nil stands for what is no variable.
type sharing map[*ssa.Global]*ssa.Global

// component returns the variable that stands for those with which v shares memory, be it through others: v itself if it
// shares none.
func (s sharing) component(v *ssa.Global) *ssa.Global {
	for {
		next, shares := s[v]
		if !shares || next == v {
			return v
		}
		v = next
	}
}

// join notes that two variables share memory.
func (s sharing) join(v, w *ssa.Global) {
	v, w = s.component(v), s.component(w)
	s[v], s[w] = w, w
}

// members returns the variables of each component that has several, by the one that stands for it.
func (s sharing) members() map[*ssa.Global][]*ssa.Global {
	all := map[*ssa.Global][]*ssa.Global{}
	for v := range s {
		of := s.component(v)
		all[of] = append(all[of], v)
	}
	return all
}

// globals follows the package variables that the run has touched, of other packages than the
// standard library and the trial.
func (o *outliner) globals() {
	variables := maps.Clone(o.m.globals)
	if o.m.copier != nil {
		o.m.addEarlier(variables)
	}
	shared := o.m.program.initially.shared
	var components []*ssa.Global
	members := map[*ssa.Global][]*ssa.Global{}
	for _, v := range o.m.program.told(maps.Keys(variables)) {
		of := shared.component(v)
		if members[of] == nil {
			components = append(components, of)
		}
		members[of] = append(members[of], v)
	}
	for _, of := range components {
		n, isUnchanged := len(o.lines), o.m.copier != nil
		for _, v := range members[of] {
			begin := len(o.lines)
			o.global(v, variables[v])
			isUnchanged = isUnchanged && o.m.program.isUnchanged(v, o.lines[begin:])
		}
		if isUnchanged {
			o.lines = o.lines[:n]
		}
	}
	if len(o.lines) > maxLines {
		unsupported("an outcome with so many parts")
	}
}

// addEarlier adds the variables that were touched after the initialisation, before the run began, and those that share
// memory with what was touched: as they are now.
func (m *machine) addEarlier(variables map[*ssa.Global]*cell) {
	add := func(v *ssa.Global) {
		if variables[v] == nil {
			variables[v] = m.here(m.copier.from.variable(v)).(*cell)
		}
	}
	for from := m.copier.from; from != m.program.beginning.m; from = from.copier.from {
		for v := range from.globals {
			add(v)
		}
	}
	initially := &m.program.initially
	touched := map[*ssa.Global]bool{initially.shared.component(nil): true} // memory whose address is a number
	for v := range variables {
		touched[initially.shared.component(v)] = true
	}
	for of := range touched {
		for _, v := range initially.members[of] {
			if v != nil {
				add(v)
			}
		}
	}
}

// told returns those of the variables that an outcome tells of, in their order.
func (p *Program) told(variables iter.Seq[*ssa.Global]) []*ssa.Global {
	var all []*ssa.Global
	names := map[*ssa.Global]string{}
	for v := range variables {
		isTrial := v.Pkg != nil && v.Pkg == p.main && v.Pkg.Pkg.Path() == knowledge.ClientPath
		if v.Pkg != nil && !isTrial && !p.isStandard(v.Pkg) && v.Object() != nil {
			all = append(all, v)
			names[v] = v.String()
		}
	}
	slices.SortFunc(all, func(a, b *ssa.Global) int { return strings.Compare(names[a], names[b]) })
	return all
}

// global follows a package variable.
func (o *outliner) global(v *ssa.Global, c *cell) {
	n := len(o.lines)
	o.left, o.variable = maxFolded, true
	if !o.again(v.Name(), c) {
		o.cell(v.Name(), c)
	}
	o.left, o.variable = 0, false
	o.m.program.Executed += len(o.lines) - n // as dear as an instruction each
	switch {
	case len(o.lines) == n+1 && o.m.program.isConstant(v): // other runs may not have touched it
		o.lines = o.lines[:n]
	case len(o.lines)-n > maxUnfolded:
		o.lines = append(o.lines[:n], Line{Path: v.Name(), Text: sumOf(o.lines[n:]), IsVariable: true})
	}
}

// linesAtStart returns what there is to tell of a variable as the initialisation has left it: of those of its component
// as if there were no other.
func (p *Program) linesAtStart(v *ssa.Global) []Line {
	known := p.initially.lines
	if _, is := known[v]; !is {
		component := map[*ssa.Global]*cell{v: p.beginning.m.variable(v)}
		for _, w := range p.initially.members[p.initially.shared.component(v)] {
			if w != nil {
				component[w] = p.beginning.m.variable(w)
			}
		}
		o := &outliner{seen: map[any]string{}, m: p.beginning.m}
		for _, w := range p.told(maps.Keys(component)) {
			n := len(o.lines)
			o.global(w, component[w])
			known[w] = slices.Clone(o.lines[n:])
		}
	}
	return known[v]
}

// isUnchanged tells whether a variable is as it was at the start, where it has these parts.
func (p *Program) isUnchanged(v *ssa.Global, lines []Line) bool {
	return p.beginning.m.variable(v) != nil && slices.Equal(p.linesAtStart(v), lines)
}

// AtStart returns what the initialisation has left at each path that begins at package variables of a name: an outcome
// tells nothing of variables that are so still.
func (p *Program) AtStart(name string) []Line {
	if p.beginning == nil {
		return nil
	}
	var lines []Line
	for _, v := range p.told(maps.Keys(p.beginning.m.globals)) {
		if v.Name() == name {
			lines = append(lines, p.linesAtStart(v)...)
		}
	}
	return lines
}

// sumOf returns what stands for many lines.
func sumOf(lines []Line) string {
	h := fnv.New64a()
	w := bufio.NewWriter(h)
	for _, line := range lines {
		for _, text := range []string{line.Path, line.Text, line.Value, line.Error} {
			w.WriteString(text)
			w.WriteByte(0)
		}
		w.WriteString(strconv.FormatBool(line.IsOutside))
		w.WriteString(strconv.FormatBool(line.IsLibrarys))
	}
	w.Flush()
	return fmt.Sprintf("%s, with the sum %x", counted(len(lines), "part"), h.Sum64())
}
