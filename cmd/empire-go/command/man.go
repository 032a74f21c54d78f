package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Long: `Write a manual page for each command into a directory, for the program man: the texts
are those of --help.`,
		Example: "  empire-go man ~/.local/share/man/man1 && man empire-go-check",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return inputError("man", "needs one directory; write empire-go man DIR")
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return asInputError(args[0], fileReason(err))
			}
			return writeManual(args[0], cmd.Root())
		},
	}
}

// writeManual writes the pages of a command and of those below it.
func writeManual(dir string, cmd *cobra.Command) error {
	cmd.InitDefaultHelpFlag()
	name := filepath.Join(dir, pageName(cmd)+".1")
	err := writeFile(name, name, nil, func(w io.Writer) error {
		_, err := io.WriteString(w, manualPage(cmd))
		return err
	})
	for _, child := range cmd.Commands() {
		if err == nil && child.IsAvailableCommand() {
			err = writeManual(dir, child)
		}
	}
	return err
}

// pageName is the name of the manual page of a command: "empire-go-esl-check".
func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manualPage returns the manual page of a command, for troff with the macros man. The help has its
// own line ends and columns, which are kept.
func manualPage(cmd *cobra.Command) string {
	var page strings.Builder
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&page, ".SH %s\n.nf\n%s\n.fi\n", title, troff(text))
		}
	}
	fmt.Fprintf(&page, ".TH %s 1 \"\" \"%s %s\"\n", strings.ToUpper(troff(pageName(cmd))), empire.Name, empire.Version)
	fmt.Fprintf(&page, ".SH NAME\n%s \\- %s\n", troff(pageName(cmd)), troff(cmd.Short))
	synopsis := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		synopsis += "\n" + cmd.CommandPath() + " [command]"
	}
	section("SYNOPSIS", synopsis)
	section("DESCRIPTION", cmd.Long)
	section("OPTIONS", cmd.Flags().FlagUsagesWrapped(90))
	section("EXAMPLES", cmd.Example)
	var others []string
	if cmd.HasParent() {
		others = append(others, pageName(cmd.Parent())+"(1)")
	}
	for _, child := range cmd.Commands() {
		if child.IsAvailableCommand() {
			others = append(others, pageName(child)+"(1)")
		}
	}
	section("SEE ALSO", strings.Join(others, "\n"))
	return page.String()
}

// troff returns text as troff shows it: what has a meaning there has none.
func troff(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`).Replace(line)
		if strings.HasPrefix(line, ".") {
			line = `\&` + line
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}
