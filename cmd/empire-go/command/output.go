package command

import (
	"fmt"
	"io"
	"net/url"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
)

// outputFlags are the flags that say what becomes of a result.
type outputFlags struct {
	format, dot, html string
	sourceURL         string // of the page
	all               bool
	quiet             bool           // something else than the result goes to standard output
	stream            *report.Stream // of a result that is not there yet
	news              *report.News   // likewise
}

func addOutputFlags(cmd *cobra.Command) *outputFlags {
	o := &outputFlags{}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "print the `format` text, json, sarif, or ndjson: events as they happen, "+
		"one a line")
	completeFrom(cmd, "format", "text", "json", "ndjson", "sarif")
	f.StringVar(&o.dot, "dot", "", "write the counterexamples to `FILE` as graphs for Graphviz, one for each cause, "+
		"besides; to - in the place of the text")
	f.StringVar(&o.html, "html", "", "write the result to `FILE` as a page for a browser, besides; to - in the place of "+
		"the text")
	f.StringVar(&o.sourceURL, "source-url", "", "link the places in the page to source at this `URL`: what stands before "+
		"a file, as https://host/owner/project/blob/main, or with {file} and {line} in it")
	f.BoolVar(&o.all, "all", false, "show every violation in full: not one for each cause, which is a unit of work "+
		"that is not atomic; and each set that is not checked")
	return o
}

// check rejects what cannot be written, before anything long is begun.
func (o *outputFlags) check(cmd *cobra.Command) error {
	if _, ok := formats[o.format]; !ok {
		if o.format == "html" || o.format == "dot" {
			return inputError("--format", "no format %q; write --%s FILE", o.format, o.format)
		}
		return inputError("--format", "no format %q; write text, json, ndjson or sarif", o.format)
	}
	taken := ""
	if cmd.Flags().Changed("format") {
		taken = "--format"
	}
	for _, form := range besides {
		f := cmd.Flags().Lookup(form.flag)
		if !f.Changed {
			continue
		}
		flag := "--" + form.flag
		if err := checkFile(flag, f.Value.String()); err != nil {
			return err
		}
		if f.Value.String() != dash {
			continue
		}
		if taken != "" {
			return inputError(flag, "goes to standard output, and so does %s; write the name of a file", taken)
		}
		taken = flag
	}
	return o.checkSourceURL(cmd)
}

// checkSourceURL rejects links that a browser would not follow, and those of no page.
func (o *outputFlags) checkSourceURL(cmd *cobra.Command) error {
	switch u, err := url.Parse(o.sourceURL); {
	case !cmd.Flags().Changed("source-url"):
		return nil
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return inputError("--source-url", "%q is no address of the web; write it as https://host/owner/project/blob/main",
			o.sourceURL)
	case o.html == "":
		return inputError("--source-url", "is for the links of a page; write --html FILE, too")
	}
	return nil
}

// besides are the flags that name files for further forms of a result.
var besides = []struct {
	flag   string
	render func(*outputFlags, io.Writer, *empire.Result) error
}{
	{"dot", func(_ *outputFlags, w io.Writer, r *empire.Result) error { return report.DOT(w, r) }},
	{"html", func(o *outputFlags, w io.Writer, r *empire.Result) error {
		return report.Page(w, r, report.PageOptions{SourceURL: o.sourceURL})
	}},
}

// write prints the result and writes the files asked for. A form that goes to standard output takes
// the place of what is printed there.
func (o *outputFlags) write(stdout io.Writer, r *empire.Result) error {
	printed := false
	for i, name := range []string{o.dot, o.html} {
		if name == "" {
			continue
		}
		flag, render := "--"+besides[i].flag, besides[i].render
		err := writeFile(flag, name, stdout, func(w io.Writer) error { return asInputError(flag, render(o, w, r)) })
		if err != nil {
			return err
		}
		printed = printed || name == dash
	}
	switch {
	case printed:
		return nil
	case o.stream != nil:
		return asInputError("standard output", o.stream.Summary(r))
	case o.news != nil && o.news.HasTold():
		fmt.Fprintln(stdout)
	}
	return asInputError("standard output", formats[o.format](stdout, r, o.all))
}

// formats are what can be printed: every violation by itself, if all are wanted.
var formats = map[string]func(w io.Writer, r *empire.Result, all bool) error{
	"text": func(w io.Writer, r *empire.Result, all bool) error {
		options := textOptions(w)
		options.All = all
		if r.IsRun() {
			return report.RunText(w, r, options)
		}
		return report.Text(w, r, options)
	},
	"json":   func(w io.Writer, r *empire.Result, _ bool) error { return report.JSON(w, r) },
	"ndjson": func(w io.Writer, r *empire.Result, _ bool) error { return report.StreamOf(w, r) },
	"sarif":  report.SARIF,
}

// maxWidth is the width past which text is harder to read.
const maxWidth = 160

// textOptions suits text to a terminal, if w is one.
func textOptions(w io.Writer) report.TextOptions {
	f, ok := terminal(w)
	if !ok {
		return report.TextOptions{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = report.DefaultWidth
	}
	return report.TextOptions{Color: os.Getenv("NO_COLOR") == "", Width: min(width, maxWidth)}
}
