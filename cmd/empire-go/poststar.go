package main

import (
	"fmt"
	"os"
	"time"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/checker/poststar"
	"github.com/spf13/cobra"
)

func newPoststar() *cobra.Command {
	return &cobra.Command{
		Use:   "poststar FILE.pds",
		Short: "Saturate one pushdown system, and say how large the result is",
		Long: `Compute the automaton of the configurations that a pushdown system without actions
can reach, and print its size, the time and the memory that it took. Controls and
symbols are numbers; each line of the file is one of

  c CONTROLS SYMBOLS RULES    first
  i CONTROL SYMBOL            the initial configuration
  r FROM TOP TO               pop
  r FROM TOP TO UPPER         replace
  r FROM TOP TO UPPER LOWER   push`,
		Example: "  empire-go cpds poststar large.pds",
		Args:    oneFile(".pds"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return asInputError(args[0], err)
			}
			defer file.Close()
			system, err := poststar.ParseExplicit(file)
			if err != nil {
				return positioned(args[0], err)
			}
			rules, begin := len(system.Rules), time.Now()
			reachable, err := poststar.Reach(cmd.Context(), system)
			if err != nil {
				return positioned(args[0], err)
			}
			seconds := time.Since(begin).Seconds()
			fmt.Fprintf(cmd.OutOrStdout(), "rules        %d\ntransitions  %d, of which silent %d\nseconds      %.4f (%.1f million rules a second)\nmemory       %.0f MiB\n",
				rules, reachable.Transitions+reachable.Silent, reachable.Silent, seconds, float64(rules)/seconds/1e6, empire.PeakMiB())
			return nil
		},
	}
}
