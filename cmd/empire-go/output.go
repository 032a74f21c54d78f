package main

import (
	"io"
	"os"
	"path/filepath"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// outputFlags are the flags that say what becomes of a result.
type outputFlags struct{ format, dot, html string }

func addOutputFlags(cmd *cobra.Command) *outputFlags {
	o := &outputFlags{}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "print the `format` text or json")
	f.StringVar(&o.dot, "dot", "", "write the counterexamples to `FILE` as a graph for Graphviz, besides")
	f.StringVar(&o.html, "html", "", "")
	f.Lookup("html").Hidden = true // so that asking for it is answered with what there is
	return o
}

// check rejects what cannot be written, before anything long is begun.
func (o *outputFlags) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	switch {
	case o.format == "sarif":
		return inputError("--format", "this build has no sarif; write text or json")
	case o.format != "text" && o.format != "json":
		return inputError("--format", "no format %q; write text or json", o.format)
	case changed("html"):
		return inputError("--html", "this build has no html; write --format text or json, or --dot FILE")
	case changed("dot") && o.dot == "":
		return inputError("--dot", "needs the name of a file; write --dot FILE")
	}
	if !changed("dot") {
		return nil
	}
	if info, err := os.Stat(o.dot); err == nil && info.IsDir() {
		return inputError("--dot", "%s is a directory; write the name of a file", o.dot)
	}
	if info, err := os.Stat(filepath.Dir(o.dot)); err != nil || !info.IsDir() {
		return inputError("--dot", "no directory %s; create it or write another name", filepath.Dir(o.dot))
	}
	return nil
}

// write prints the result and writes the files asked for.
func (o *outputFlags) write(stdout io.Writer, r *empire.Result) error {
	if o.dot != "" {
		if err := writeFile(o.dot, r); err != nil {
			return asInputError("--dot", err)
		}
	}
	if o.format == "json" {
		return asInputError("standard output", report.JSON(stdout, r))
	}
	return asInputError("standard output", report.Text(stdout, r, textOptions(stdout)))
}

func writeFile(name string, r *empire.Result) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := report.DOT(f, r); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// maxWidth is the width past which text is harder to read.
const maxWidth = 160

// textOptions suits text to a terminal, if w is one.
func textOptions(w io.Writer) report.TextOptions {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return report.TextOptions{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = report.DefaultWidth
	}
	return report.TextOptions{Color: os.Getenv("NO_COLOR") == "", Width: min(width, maxWidth)}
}
