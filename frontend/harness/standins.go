package harness

import (
	"go/types"
	"maps"
	"path"

	"github.com/empire-go/empire-go/frontend/knowledge"
)

// standIns returns what stands in for a value of a type that cannot be invented, if the program
// has the packages that it needs.
func (w *trialWriter) standIns(t types.Type) []argument {
	row := knowledge.StandInFor(t.String())
	if row == nil {
		return nil
	}
	for _, p := range row.Packages() {
		if w.clients.reach[p] == nil {
			return nil
		}
	}
	name := func(p string) string { return w.qualify(types.NewPackage(p, path.Base(p))) }
	used := maps.Clone(w.used) // what declarations name, the statements do not
	for _, text := range row.Declarations() {
		if w.stubs[text] == nil {
			w.stubs[text] = []argument{} // declared
			w.body.WriteString(knowledge.StandInText(text, name) + "\n")
		}
	}
	w.used = used
	var all []argument
	for _, v := range row.Values {
		all = append(all, argument{text: knowledge.StandInText(v, name), shared: row.Shows})
	}
	return all
}
