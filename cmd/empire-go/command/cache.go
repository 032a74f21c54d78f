package command

import (
	"github.com/spf13/cobra"

	"github.com/empire-go/empire-go/internal/answers"
)

func newCache() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache clean",
		Short: "Remove the answers that are kept",
		Long: `Answers of check and sweep are kept in the user's cache directory, or in the one that
the environment variable ` + answers.DirVariable + ` names, under a hash of all that they depend on:
the code, the settings, the flags, the go command's environment, and this program.
What is unchanged is answered from there; comments make no difference, unless they are
directives or say which lock a field has. What is unknown is not kept. The directory
holds at most 512 MiB: what was not used for the longest time goes first.

empire-go cache clean removes all of them. With ` + answers.DirVariable + `=off, or --no-cache, none is
read or written.`,
		Args: cobra.NoArgs,
	}
	clean := &cobra.Command{
		Use:   "clean",
		Short: "Remove them",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := answers.DefaultDir()
			if err == nil && dir != "" {
				err = answers.Clean(dir)
			}
			return asInputError("cache", err)
		},
	}
	cmd.AddCommand(clean)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// addNoCache defines the flag of commands that keep answers.
func addNoCache(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "no-cache", false,
		"find everything out anew, and keep nothing for the next time; see empire-go cache --help")
}
