package command

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
)

// run carries out a request, and tells meanwhile how it goes, and then what has gone wrong with single queries.
func (o *outputFlags) run(cmd *cobra.Command, request empire.Request) (*empire.Result, error) {
	progress := newProgress(cmd.ErrOrStderr())
	defer progress.show("")
	request.Observe = o.observe(cmd.OutOrStdout(), progress)
	result, err := empire.Run(cmd.Context(), request)
	progress.show("")
	if err != nil {
		return nil, err
	}
	for _, e := range result.Errors {
		fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: %s\n", oneLine(fmt.Errorf("%s", e)))
	}
	return result, nil
}

// observe returns what is told of a check while it goes on: on a terminal what it does, and what it
// has found; the answers as they come, in text; and the events themselves, if these are the format.
func (o *outputFlags) observe(stdout io.Writer, p *progress) func(empire.Event) {
	switch {
	case o.format == "ndjson":
		o.stream = report.NewStream(stdout)
	case o.format == "text" && o.dot != dash && o.html != dash && !o.quiet:
		o.news = report.NewNews(textOptions(stdout))
	}
	found := 0
	return func(e empire.Event) {
		if o.stream != nil {
			o.stream.Observe(e)
		}
		if o.news != nil {
			if text := o.news.Next(e); len(text) > 0 {
				p.show("")
				stdout.Write(text) // if that fails, so does the rest
			}
		}
		switch {
		case e.Phase != nil:
			p.show(phaseText(e.Phase, found))
		case e.Answer != nil:
			if n, text := newsOf(e.Answer); n > 0 {
				if found += n; o.news == nil {
					p.note(text)
				}
			}
		case e.Blocked != nil:
			found += len(e.Blocked.Findings)
		}
	}
}

// phaseText is what is shown while something goes on: "checking Cache (2 of 5), 3 violations".
func phaseText(phase *empire.Phase, found int) string {
	text := phase.What
	if phase.Total > 1 {
		text += fmt.Sprintf(" (%d of %d)", phase.Done+1, phase.Total)
	}
	if found > 0 {
		text += ", " + count(found, "violation")
	}
	return text
}

// newsOf counts the violations of an answer, without notes, and tells of them in a line.
func newsOf(q *empire.QueryResult) (int, string) {
	var names []string
	for _, s := range q.Scenarios {
		if s.Verdict == empire.VerdictViolation && s.Level != "note" {
			names = append(names, s.Name)
		}
	}
	subject := strings.Join(q.Fields, ", ")
	if q.Type != "" {
		subject = path.Base(q.Type) + ", fields " + subject
	}
	return len(names), fmt.Sprintf("found in %s: %s", subject, strings.Join(names, ", "))
}
