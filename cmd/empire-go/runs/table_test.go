package runs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
)

// paperTable is a table with columns of the width that they need.
type paperTable struct {
	text bytes.Buffer
	w    *tabwriter.Writer
}

func newPaperTable(heads ...any) *paperTable {
	p := &paperTable{}
	p.w = tabwriter.NewWriter(&p.text, 0, 0, 2, ' ', tabwriter.AlignRight)
	p.line(heads...)
	return p
}

func (p *paperTable) line(cells ...any) {
	for _, c := range cells {
		fmt.Fprintf(p.w, "%v\t", c)
	}
	fmt.Fprintln(p.w)
}

func (p *paperTable) String() string {
	p.w.Flush()
	return "\n" + p.text.String()
}

// empireGo runs the command, with a report or a result in JSON that is read into result.
func empireGo(t *testing.T, result any, args ...string) {
	t.Helper()
	var stdout, stderr strings.Builder
	command.Run(args, &stdout, &stderr)
	if i := strings.Index(stdout.String(), "{\n"); result != nil && (i < 0 ||
		json.Unmarshal([]byte(stdout.String()[i:]), result) != nil) {
		t.Fatalf("%v: %s%s", args, stdout.String(), stderr.String())
	}
}
