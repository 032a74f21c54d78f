package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// Discipline writes for people which lock guards which fields, and where it is not held.
func Discipline(w io.Writer, r *empire.DisciplineResult, o TextOptions) error {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	o.Width = max(o.Width, MinWidth)
	d := &disciplineWriter{out: bufio.NewWriter(w), TextOptions: o}
	for _, t := range r.Types {
		d.one(t)
	}
	switch {
	case r.Reason != "":
		d.printf("no locks: %s\n", r.Reason)
	default:
		d.printf("%s: %s\n", count(len(r.Types), "type"), d.summary())
	}
	return d.out.Flush()
}

// DisciplineJSON writes the same as one indented JSON object.
func DisciplineJSON(w io.Writer, r *empire.DisciplineResult) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

type disciplineWriter struct {
	out *bufio.Writer
	TextOptions
	always, partly, places int // fields that are guarded always, the others, and where those are not
}

func (d *disciplineWriter) printf(format string, args ...any) { fmt.Fprintf(d.out, format, args...) }

func (d *disciplineWriter) one(t empire.Discipline) {
	name := t.Type[strings.LastIndex(t.Type, ".")+1:]
	if t.Type == "" {
		name = "package variables"
	}
	d.printf("%s  %s\n", paint(d.Color, bold, name), t.Pos)
	for _, l := range t.Locks {
		d.lock(l)
	}
	var plain, atomic []string
	for _, f := range t.Loose {
		if f.Atomic {
			atomic = append(atomic, f.Name)
		} else {
			plain = append(plain, fmt.Sprintf("%s (%s)", f.Name, plural(f.Accesses, "access", "accesses")))
		}
	}
	d.list("no lock guards ", plain)
	d.list("accessed atomically: ", atomic)
	d.list("not written once an object is made: ", t.Constant)
	d.printf("\n")
}

func (d *disciplineWriter) list(what string, names []string) {
	if len(names) == 0 {
		return
	}
	d.wrapped("  " + what + and(names))
}

func (d *disciplineWriter) wrapped(text string) {
	for _, line := range wrap(text, d.Width, 4) {
		d.printf("%s\n", plainSpaces(line))
	}
}

// lock writes what a lock guards: first what it always does, then each field of which it is not held somewhere.
func (d *disciplineWriter) lock(l empire.LockDiscipline) {
	var always []string
	for _, f := range l.Fields {
		if len(f.Unheld) == 0 {
			always = append(always, fmt.Sprintf("%s%s(%d)", f.Name, unbroken, f.Accesses))
		}
	}
	d.always += len(always)
	d.list(l.Lock+" is held at all accesses to ", always)
	for _, f := range l.Fields {
		if len(f.Unheld) == 0 {
			continue
		}
		d.partly++
		d.places += len(f.Unheld)
		text := fmt.Sprintf("  %s is held at %d of %s to %s", l.Lock, f.Accesses-len(f.Unheld),
			plural(f.Accesses, "access", "accesses"), f.Name)
		if f.Claim != "" {
			text += ", which a comment at " + f.Claim + " says it is for"
		}
		d.wrapped(text + ", not at")
		for _, u := range f.Unheld {
			d.printf("    %s  %s\n", fileLine(u.Pos), unheld(u))
		}
	}
}

// unheld says what an access without the lock is.
func unheld(u empire.UnheldAccess) string {
	text := "read"
	if u.Write {
		text = "write"
	}
	text += " in " + u.Function
	switch {
	case u.Shared:
		text += ", with the lock held for reading"
	case u.Atomic:
		text += ", atomically"
	}
	return text
}

// summary counts the fields.
func (d *disciplineWriter) summary() string {
	text := count(d.always, "field") + " guarded at all accesses"
	if d.partly > 0 {
		text += fmt.Sprintf(", %s not at %s", count(d.partly, "field"), count(d.places, "place"))
	}
	return text
}
