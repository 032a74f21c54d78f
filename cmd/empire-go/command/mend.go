package command

import (
	"fmt"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/internal/mend"
	"github.com/empire-go/empire-go/internal/rewrite"
)

// mendFlags say what becomes of fixes.
type mendFlags struct{ diff, fix bool }

func addMendFlags(cmd *cobra.Command) *mendFlags {
	m := &mendFlags{}
	cmd.Flags().BoolVar(&m.diff, "diff", false, "print a diff that mends what can be mended in a simple way, in the "+
		"place of the text; the changed program has been checked")
	cmd.Flags().BoolVar(&m.fix, "fix", false, "write those changes into the source")
	return m
}

func (m *mendFlags) isWanted() bool { return m.diff || m.fix }

// mend looks for fixes, shows and writes them. printed tells that standard output has the diff, not the result.
func (m *mendFlags) mend(cmd *cobra.Command, request empire.Request, r *empire.Result) (printed bool, err error) {
	files, outcomes, err := mend.Mend(cmd.Context(), request, r)
	if err != nil {
		return false, asInputError("--fix", err)
	}
	for _, o := range outcomes {
		if o.What == "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: no simple fix for %s: %s\n", o.Cause.Shown, o.Why)
		} else {
			fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: fix for %s, checked: %s\n", o.Cause.Shown, o.What)
		}
	}
	if m.fix {
		if err := rewrite.Write(r.ModuleRootDir, files); err != nil {
			return false, asInputError("--fix", err)
		}
		for _, f := range files {
			fmt.Fprintf(cmd.ErrOrStderr(), "empire-go: wrote %s\n", f.Path)
		}
	}
	if !m.diff || cmd.Flags().Changed("format") {
		return false, nil
	}
	for _, f := range files {
		if _, err := cmd.OutOrStdout().Write(f.Diff()); err != nil {
			return false, err
		}
	}
	return true, nil
}
