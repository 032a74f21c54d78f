package command

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/dynamic/events"
	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// addTable adds the flags for points of interference.
func (o *cooperableFlags) addTable(f *pflag.FlagSet) {
	f.BoolVar(&o.table, "table", false, "count the points at which others may interfere: between any accesses, outside "+
		"of functions that are atomic, and at yields")
	f.BoolVar(&o.source, "source", false, "show these points beside the source, in the columns P, A and C")
}

// isFormat tells whether there is such a format.
func (o *cooperableFlags) isFormat() bool {
	return o.format == "text" || o.format == "json" || o.format == "csv" && o.table
}

// rootOf is the directory of the source of a recorded trace.
func rootOf(name string) string {
	if f, err := os.Open(name); err == nil {
		defer f.Close()
		if r, err := trace.NewReader(f); err == nil {
			return r.Header().Root
		}
	}
	return ""
}

// tableRow is one program.
type tableRow struct {
	Program     string   `json:"program"`
	Threads     int      `json:"goroutines"`
	Lines       int      `json:"lines"` // of the files in which something was done
	Preemptive  int      `json:"preemptive"`
	Atomic      int      `json:"atomic"`
	Cooperative int      `json:"cooperative"`
	Intended    int      `json:"intended"`
	Errors      int      `json:"errors"`
	Races       int      `json:"races"`
	NonAtomic   []string `json:"nonAtomic"`
}

func newTableRow(r *cooperableRun) tableRow {
	p := r.points
	row := tableRow{r.name, p.Threads, 0, len(p.Preemptive), p.AtomicPoints(), len(p.Cooperative), p.Intended, p.Errors,
		p.Races, append([]string{}, p.NonAtomic...)}
	for _, file := range p.Files {
		row.Lines += len(linesOf(r.root, file))
	}
	return row
}

// linesOf are the lines of a file, none if it cannot be read.
func linesOf(root, file string) []string {
	text, err := os.ReadFile(absolute(trace.Header{Root: root}, file))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// density is a number of points for each hundred lines.
func (r tableRow) density(n int) string {
	if r.Lines == 0 {
		return ""
	}
	return strconv.FormatFloat(100*float64(n)/float64(r.Lines), 'f', 2, 64) + "%"
}

var tableHeads = []string{"program", "goroutines", "lines", "preemptive", "density", "atomic", "density", "cooperative",
	"density", "intended", "errors", "races"}

func (r tableRow) cells() []string {
	return []string{r.Program, strconv.Itoa(r.Threads), strconv.Itoa(r.Lines), strconv.Itoa(r.Preemptive),
		r.density(r.Preemptive), strconv.Itoa(r.Atomic), r.density(r.Atomic), strconv.Itoa(r.Cooperative),
		r.density(r.Cooperative), strconv.Itoa(r.Intended), strconv.Itoa(r.Errors), strconv.Itoa(r.Races)}
}

// writeTable writes the table of points.
func (o *cooperableFlags) writeTable(w io.Writer, all []*cooperableRun) error {
	rows := []tableRow{}
	for _, r := range all {
		rows = append(rows, newTableRow(r))
	}
	switch o.format {
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			Schema   int        `json:"schema"`
			Tool     toolJSON   `json:"tool"`
			Programs []tableRow `json:"programs"`
		}{1, toolJSON{empire.Name, empire.Version}, rows})
	case "csv":
		out := csv.NewWriter(w)
		out.Write(tableHeads)
		for _, r := range rows {
			out.Write(r.cells())
		}
		out.Flush()
		return out.Error()
	}
	wide := make([]int, len(tableHeads))
	lines := [][]string{tableHeads}
	for _, r := range rows {
		lines = append(lines, r.cells())
	}
	for _, l := range lines {
		for i, c := range l {
			wide[i] = max(wide[i], len(c))
		}
	}
	out := bufio.NewWriter(w)
	for _, l := range lines {
		fmt.Fprintf(out, "%-*s", wide[0], l[0])
		for i, c := range l[1:] {
			fmt.Fprintf(out, "  %*s", wide[i+1], c)
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// writeColumns shows the source of each file in which something was done, with a mark for each semantics under which
// others may interfere there: P preemptive, A atomic, C cooperative.
func writeColumns(w io.Writer, all []*cooperableRun) error {
	out := bufio.NewWriter(w)
	for _, r := range all {
		columns := []map[string]bool{lineSet(r.points.Preemptive), lineSet(r.points.Atomic), lineSet(r.points.Cooperative)}
		for _, file := range r.points.Files {
			fmt.Fprintf(out, "%s\n  P A C\n", file)
			for i, text := range linesOf(r.root, file) {
				for _, c := range columns {
					mark := " "
					if c[fmt.Sprintf("%s:%d", file, i+1)] {
						mark = "x"
					}
					fmt.Fprintf(out, " %s", mark)
				}
				fmt.Fprintln(out, strings.TrimRight(fmt.Sprintf(" %5d  %s", i+1, text), " \t"))
			}
		}
	}
	return out.Flush()
}

// lineSet are the lines of places, as file:line.
func lineSet(places []events.Place) map[string]bool {
	set := map[string]bool{}
	for _, p := range places {
		if file, line, _, ok := watch.ParsePosition(p.Pos); ok {
			set[fmt.Sprintf("%s:%d", file, line)] = true
		}
	}
	return set
}
