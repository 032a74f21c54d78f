package sweep

import (
	"encoding/json"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/answers"
)

// Whole is the table of a sweep, as it is kept: where no source means anything else than then, it is found
// without loading any. The methods of nil keep and find nothing.
type Whole struct {
	store *Store
	tree  *answers.Tree
	key   string
}

// keptTable is a table with what JSON leaves out of its rows.
type keptTable struct {
	Table      Table
	References []*Reference
}

// Whole returns the table that a request and a specification stand for; nil where it is not known what it
// depends on. A site that is named by its line is another one when lines move.
func (s *Store) Whole(r empire.Request, queries []SpecQuery) *Whole {
	if s == nil {
		return nil
	}
	tree, err := answers.ReadTree(r.Dir, r.Packages)
	if err != nil {
		return nil
	}
	asked, err := answers.Marshal([]any{r, queries})
	if err != nil {
		return nil
	}
	sources := tree.Meaning()
	if hasLines(r, queries) {
		sources = tree.Text()
	}
	return &Whole{s, tree, s.kept.Key("table", string(asked), sources)}
}

// hasLines tells whether sites are named by their lines.
func hasLines(r empire.Request, queries []SpecQuery) bool {
	has := r.Site != ""
	for _, q := range queries {
		has = has || len(q.Site) > 0
	}
	return has
}

// Table returns the table of an earlier sweep.
func (w *Whole) Table() *Table {
	if w == nil {
		return nil
	}
	entry, ok := w.store.kept.Get(w.key)
	if !ok {
		return nil
	}
	text, ok := w.tree.Unpack(entry)
	kept := keptTable{}
	if !ok || json.Unmarshal(text, &kept) != nil || len(kept.References) != len(kept.Table.Rows) {
		return nil
	}
	for i := range kept.Table.Rows {
		kept.Table.Rows[i].Stored, kept.Table.Rows[i].Reference = true, kept.References[i]
	}
	return &kept.Table
}

// Keep keeps the table if all of it is known, and the sources are still the same. Positions are relative to
// a directory.
func (w *Whole) Keep(t *Table, dir string) {
	if w == nil || t.Interrupted || len(t.Errors) > 0 || len(t.Rows) == 0 {
		return
	}
	kept := keptTable{Table: *t}
	for _, r := range t.Rows {
		if r.Query.Verdict == empire.VerdictUnknown {
			return
		}
		for _, s := range r.Query.Scenarios {
			if s.Verdict == empire.VerdictUnknown {
				return
			}
		}
		kept.References = append(kept.References, r.Reference)
	}
	text, err := answers.Marshal(kept)
	if err != nil {
		return
	}
	if entry, ok := w.tree.Pack(dir, text); ok && w.tree.IsUnchanged() {
		w.store.kept.Put(w.key, entry)
	}
}
