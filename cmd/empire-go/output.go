package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/report"
)

// outputFlags are the flags that say what becomes of a result.
type outputFlags struct {
	format, dot, html string
	all               bool
}

func addOutputFlags(cmd *cobra.Command) *outputFlags {
	o := &outputFlags{}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "print the `format` text, json or sarif")
	f.StringVar(&o.dot, "dot", "", "write the counterexamples to `FILE` as a graph for Graphviz, besides")
	f.StringVar(&o.html, "html", "", "write the result to `FILE` as a page for a browser, besides")
	f.BoolVar(&o.all, "all", false, "show every violation in full: not one for each cause, which is a unit of work "+
		"that is not atomic")
	return o
}

// check rejects what cannot be written, before anything long is begun.
func (o *outputFlags) check(cmd *cobra.Command) error {
	if _, ok := formats[o.format]; !ok {
		return inputError("--format", "no format %q; write text, json or sarif", o.format)
	}
	for _, flag := range []string{"dot", "html"} {
		if f := cmd.Flags().Lookup(flag); f.Changed {
			if err := checkFile("--"+flag, f.Value.String()); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFile rejects a name that no file can be written to.
func checkFile(flag, name string) error {
	if name == "" {
		return inputError(flag, "needs the name of a file; write %s FILE", flag)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return inputError(flag, "%s is a directory; write the name of a file", name)
	}
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return inputError(flag, "no directory %s; create it or write another name", filepath.Dir(name))
	}
	return nil
}

// write prints the result and writes the files asked for.
func (o *outputFlags) write(stdout io.Writer, r *empire.Result) error {
	if o.dot != "" {
		if err := writeFile(o.dot, r, report.DOT); err != nil {
			return asInputError("--dot", err)
		}
	}
	if o.html != "" {
		if err := writeFile(o.html, r, report.HTML); err != nil {
			return asInputError("--html", err)
		}
	}
	return asInputError("standard output", formats[o.format](stdout, r, o.all))
}

// formats are what can be printed: every violation by itself, if all are wanted.
var formats = map[string]func(w io.Writer, r *empire.Result, all bool) error{
	"text": func(w io.Writer, r *empire.Result, all bool) error {
		options := textOptions(w)
		options.All = all
		return report.Text(w, r, options)
	},
	"json":  func(w io.Writer, r *empire.Result, _ bool) error { return report.JSON(w, r) },
	"sarif": report.SARIF,
}

// writeFile renders the result to a file.
func writeFile(name string, r *empire.Result, render func(io.Writer, *empire.Result) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := render(f, r); err != nil {
		f.Close()
		return err
	}
	return f.Close()
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
