package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	empire "github.com/empire-go/empire-go"
)

// Candidates writes for people what could be checked, the best first: for each the
// evidence, as far as it has not been told of the type already, and the command that checks
// it.
func Candidates(w io.Writer, r *empire.CandidateResult, o TextOptions) error {
	if o.Width == 0 {
		o.Width = DefaultWidth
	}
	o.Width = max(o.Width, MinWidth)
	out := bufio.NewWriter(w)
	l := &candidateList{out: out, TextOptions: o}
	for i, c := range r.Candidates {
		if i == 0 || c.Type != r.Candidates[i-1].Type {
			l.said = map[string]bool{}
		}
		l.candidate(i+1, c)
	}
	l.left(r)
	fmt.Fprintln(out, candidateCount(r))
	return out.Flush()
}

// CandidatesJSON writes the same as one indented JSON object.
func CandidatesJSON(w io.Writer, r *empire.CandidateResult) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

type candidateList struct {
	out io.Writer
	TextOptions
	said map[string]bool // of the type already
}

func (l *candidateList) candidate(number int, c empire.Candidate) {
	what := "package variable"
	if c.Type != "" {
		what = c.Type[strings.LastIndex(c.Type, ".")+1:] + ": field"
	}
	if len(c.Fields) > 1 {
		what += "s"
	}
	title := fmt.Sprintf("%d. %s %s", number, what, and(c.Fields))
	if c.Guard != "" {
		title += ", guarded by " + c.Guard
	}
	fmt.Fprintln(l.out, paint(l.Color, bold, title))
	if c.Pos != "" {
		fmt.Fprintf(l.out, "   %s\n", c.Pos)
	}
	evidence := c.Evidence
	if sites := clientSites(c); sites != "" {
		evidence = append(slices.Clip(evidence), "clients make it at "+sites)
	}
	for _, sentence := range evidence {
		if !l.said[sentence] {
			l.said[sentence] = true
			l.paragraph("   - ", sentence)
		}
	}
	fmt.Fprintf(l.out, "\n   %s\n\n", c.Command)
}

// clientSites lists where clients of a library make the object.
func clientSites(c empire.Candidate) string {
	const most = 3
	var sites []string
	for _, s := range c.Sites {
		if len(s.Goroutines) == 1 && s.Goroutines[0] == "clients" {
			sites = append(sites, s.Site)
		}
	}
	if len(sites) > most {
		return strings.Join(sites[:most], ", ") + fmt.Sprintf(" and %d more", len(sites)-most)
	}
	return and(sites)
}

// paragraph writes a sentence, wrapped behind its mark.
func (l *candidateList) paragraph(mark, sentence string) {
	for _, line := range wrap(mark+sentence, l.Width, len(mark)) {
		fmt.Fprintln(l.out, plainSpaces(line))
	}
}

// left says which types that have a lock, and which fields, are no candidates; all of them if each is
// wanted, in a line for each.
func (l *candidateList) left(r *empire.CandidateResult) {
	if len(r.Candidates) == 0 && !l.All {
		return
	}
	var lines []string
	for _, left := range r.Left {
		if left.Lock || left.Part || l.All {
			lines = append(lines, left.Type[strings.LastIndex(left.Type, ".")+1:]+": "+left.Why)
		}
	}
	if !l.All {
		lines = Grouped(lines)
	}
	for _, line := range lines {
		l.paragraph("not listed: ", line)
	}
	if len(lines) > 0 {
		fmt.Fprintln(l.out)
	}
}

// candidateCount is the last line.
func candidateCount(r *empire.CandidateResult) string {
	switch n := len(r.Candidates); n {
	case 0:
		return "nothing to check: " + r.Reason
	case 1:
		return "1 candidate; empire-go check " + strings.Join(r.Invocation.Packages, " ") + " checks it"
	default:
		return fmt.Sprintf("%d candidates; empire-go check %s checks all of them", n,
			strings.Join(r.Invocation.Packages, " "))
	}
}
