package execute

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// An outcome tells of the package variables, too. The tables of large programs are large, and most runs touch few of
// them: of a variable that neither a run nor what came before it has touched, and that shares no memory with one which
// they have, there is to tell what there was after the initialisation.

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

// globals follows the package variables that the run has touched, of other packages than the
// standard library and the trial.
func (o *outliner) globals() {
	variables := maps.Clone(o.m.globals)
	if o.m.copier != nil {
		o.m.addEarlier(variables)
	}
	for _, v := range o.told(variables) {
		if variables[v] == nil {
			o.lines = append(o.lines, o.m.program.linesAtStart(v)...)
			continue
		}
		n := len(o.lines)
		o.global(v, variables[v])
		if o.m.copier != nil && o.m.program.isUnchanged(v, o.lines[n:]) {
			o.lines = o.lines[:n] // other runs may not have touched it
		}
	}
	if len(o.lines) > maxLines {
		unsupported("an outcome with so many parts")
	}
}

// addEarlier adds the variables that were touched after the initialisation, before the run began, and those that share
// memory with what was touched: as they are now. The others that share memory are added with nil: they are as the
// initialisation has left them.
func (m *machine) addEarlier(variables map[*ssa.Global]*cell) {
	addNow := func(v *ssa.Global) {
		if variables[v] == nil {
			variables[v] = m.here(m.copier.from.variable(v)).(*cell)
		}
	}
	for from := m.copier.from; from != m.program.beginning.m; from = from.copier.from {
		for v := range from.globals {
			addNow(v)
		}
	}
	shared := m.program.initially.shared
	touched := map[*ssa.Global]bool{shared.component(nil): true} // by component; memory whose address is a number
	for v := range variables {
		touched[shared.component(v)] = true
	}
	for v := range shared {
		switch {
		case v == nil:
		case touched[shared.component(v)]:
			addNow(v)
		default:
			variables[v] = nil
		}
	}
}

// told returns the variables that an outcome tells of, in their order.
func (o *outliner) told(variables map[*ssa.Global]*cell) []*ssa.Global {
	var all []*ssa.Global
	for v := range variables {
		isTrial := v.Pkg != nil && v.Pkg == o.m.program.main && v.Pkg.Pkg.Path() == knowledge.ClientPath
		if v.Pkg != nil && !isTrial && !o.m.program.isStandard(v.Pkg) && v.Object() != nil {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b *ssa.Global) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// global follows a package variable.
func (o *outliner) global(v *ssa.Global, c *cell) {
	n := len(o.lines)
	o.left = maxFolded
	if !o.again(v.Name(), c) {
		o.cell(v.Name(), c)
	}
	o.left = 0
	o.m.program.Executed += len(o.lines) - n // as dear as an instruction each
	switch {
	case len(o.lines) == n+1 && o.m.program.isConstant(v): // other runs may not have touched it
		o.lines = o.lines[:n]
	case len(o.lines)-n > maxUnfolded:
		o.lines = append(o.lines[:n], Line{Path: v.Name(), Text: sumOf(o.lines[n:])})
	}
}

// linesAtStart returns what there is to tell of a variable as the initialisation has left it: of those of its component
// as if there were no other.
func (p *Program) linesAtStart(v *ssa.Global) []Line {
	known, shared := p.initially.lines, p.initially.shared
	if _, is := known[v]; !is {
		component := map[*ssa.Global]*cell{v: p.beginning.m.variable(v)}
		for w := range shared {
			if w != nil && shared.component(w) == shared.component(v) {
				component[w] = p.beginning.m.variable(w)
			}
		}
		o := &outliner{seen: map[any]string{}, m: p.beginning.m}
		for _, w := range o.told(component) {
			n := len(o.lines)
			o.global(w, component[w])
			known[w] = slices.Clone(o.lines[n:])
		}
	}
	return known[v]
}

// isUnchanged tells whether a variable that shares no memory is as it was at the start, where it has these parts.
func (p *Program) isUnchanged(v *ssa.Global, lines []Line) bool {
	_, shares := p.initially.shared[v]
	return !shares && p.beginning.m.variable(v) != nil && slices.Equal(p.linesAtStart(v), lines)
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
