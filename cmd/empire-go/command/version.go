package command

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit and the version of Go that it was built with",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), versionText())
			return err
		},
	}
}

// versionText tells which program this is.
func versionText() string {
	text := fmt.Sprintf("%s %s\n", empire.Name, empire.Version)
	if info, ok := debug.ReadBuildInfo(); ok {
		text += buildText(info)
	}
	return text
}

// buildText tells what a program was built from and with, as far as the go command has noted it: a
// commit where it was built in the repository, else the version of the module.
func buildText(info *debug.BuildInfo) string {
	known := map[string]string{}
	for _, s := range info.Settings {
		known[s.Key] = s.Value
	}
	var text strings.Builder
	switch commit := known["vcs.revision"]; {
	case commit != "":
		fmt.Fprintf(&text, "commit %s", commit)
		if at := known["vcs.time"]; at != "" {
			fmt.Fprintf(&text, " of %s", at)
		}
		if known["vcs.modified"] == "true" {
			text.WriteString(", with changes")
		}
		text.WriteString("\n")
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		fmt.Fprintf(&text, "module %s %s\n", info.Main.Path, info.Main.Version)
	}
	fmt.Fprintf(&text, "built with %s", info.GoVersion)
	if known["GOOS"] != "" {
		fmt.Fprintf(&text, " for %s/%s", known["GOOS"], known["GOARCH"])
	}
	return text.String() + "\n"
}
