package knowledge

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Row is a row of the table with its name.
type Row struct {
	Package, Name string // as a table has them: "Func", "Type.Method", "*.Method" or "Name*"
	Function
}

// Rows returns the table, in the order of the packages and names.
func Rows() []Row {
	var all []Row
	for path, rows := range index {
		for key, row := range rows.exact {
			name := key.name
			if key.receiver != "" {
				name = key.receiver + "." + name
			}
			all = append(all, Row{path, name, *row})
		}
		for _, p := range rows.prefixes {
			all = append(all, Row{path, p.prefix + "*", *p.row})
		}
	}
	slices.SortFunc(all, func(a, b Row) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
	})
	return all
}

// String tells what the row says, in the order of its fields: "sync.Mutex.Lock: lock".
func (r Row) String() string {
	var said []string
	v := reflect.ValueOf(r.Function)
	for i := range v.NumField() {
		if field := v.Type().Field(i); !v.Field(i).IsZero() && field.Name != "Evidence" {
			said = append(said, describe(strings.ToLower(field.Name), v.Field(i)))
		}
	}
	text := r.Package + "." + r.Name + ": " + strings.Join(said, ", ")
	if r.Evidence != "" {
		text += " (" + r.Evidence + ")"
	}
	return text
}

// describe writes a field of a row.
func describe(name string, v reflect.Value) string {
	if v.Kind() == reflect.Bool {
		return name
	}
	if effect, ok := v.Interface().(Effect); ok {
		return effect.String()
	}
	return fmt.Sprintf("%s %v", name, v.Interface())
}

// String lists what holds of the effect: "reads, writes, atomic, first".
func (e Effect) String() string {
	var said []string
	v := reflect.ValueOf(e)
	for i := range v.NumField() {
		if v.Field(i).Bool() {
			said = append(said, strings.ToLower(v.Type().Field(i).Name))
		}
	}
	return strings.Join(said, ", ")
}

// String tells which argument is called, counted from 1, and how often.
func (c Callback) String() string {
	text := fmt.Sprintf("argument %d", c.Argument+1)
	if c.Method != "" {
		text += "." + c.Method
	}
	switch {
	case c.Often:
		text += " any number of times"
	case c.AgainBy != "":
		text += " once, and again by " + c.AgainBy
	default:
		text += " once"
	}
	return text
}

// Print writes the table, a row on a line.
func Print(w io.Writer) error {
	for _, row := range Rows() {
		if _, err := fmt.Fprintln(w, row); err != nil {
			return err
		}
	}
	return nil
}
