package command

import (
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newRender() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "render REPORT",
		Short: "Show a saved result in another form",
		Long: `Show a result that check, run or test has saved with --format json or ndjson in any
form, without analysing anything again. Lines of the source are shown where the module of
the current directory is the one of the result. "-" is standard input.

Exit status: 0 the result was shown, whatever it is; 2 it could not be read.`,
		Example: `  empire-go check --format json ./... > report.json
  empire-go render report.json
  empire-go render --format sarif report.json > report.sarif
  empire-go render --html report.html report.json`,
		Args: cobra.ArbitraryArgs,
	}
	output := addOutputFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		result, err := output.savedResult(cmd, args, "result")
		if err != nil {
			return err
		}
		out, err := exec.CommandContext(cmd.Context(), "go", "list", "-m", "-f", "{{.Path}} {{.Dir}}").Output()
		if module, dir, ok := strings.Cut(strings.TrimSpace(string(out)), " "); ok && err == nil &&
			module == result.ModuleRoot {
			result.ModuleRootDir = filepath.Clean(dir)
		}
		return output.write(cmd.OutOrStdout(), result)
	}
	return cmd
}
