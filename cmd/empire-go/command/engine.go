package command

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/checker"
	"github.com/empire-go/empire-go/internal/pipeline"
	"github.com/empire-go/empire-go/limit"
)

// maxStates and maxRounds bound the search for a hand-written model, besides the
// time: a few GiB of states at most.
const (
	maxStates = 10_000_000
	maxRounds = 100_000
)

// engineFlags are the flags of the commands that check a hand-written model.
type engineFlags struct {
	engine  string
	timeout durationValue
	memory  sizeValue
}

func addEngineFlags(cmd *cobra.Command) *engineFlags {
	e := &engineFlags{timeout: durationValue(empire.DefaultTimeout), memory: empire.DefaultMemory}
	cmd.Flags().StringVar(&e.engine, "engine", "refine", "the decision procedure `name`: refine or prefix")
	cmd.Flags().Var(&e.timeout, "timeout", "`time` for the whole check; past it the verdict is unknown")
	cmd.Flags().Var(&e.memory, "memory", "memory `size` for the whole check; past it the verdict is unknown")
	return e
}

// open returns the engine, its limits and a context that ends with the time.
func (e *engineFlags) open(cmd *cobra.Command) (
	context.Context, context.CancelFunc, checker.Engine, checker.Limits, error) {
	engine := pipeline.NewEngine(e.engine)
	if engine == nil {
		return nil, nil, nil, checker.Limits{}, inputError("--engine", "no choice %q; write refine or prefix", e.engine)
	}
	ctx, cancel := limit.ForQuery(cmd.Context(), time.Duration(e.timeout), int64(e.memory))
	return ctx, cancel, engine, checker.Limits{States: maxStates, Rounds: maxRounds}, nil
}

// maxModelFile bounds the files that are read as models.
const maxModelFile = 64 << 20

// readModel reads a hand-written model, or what standard input has.
func readModel(cmd *cobra.Command, name string) ([]byte, error) {
	if name != dash {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, inputError(name, "cannot be read; write the name of a file that exists")
		case !info.Mode().IsRegular():
			return nil, inputError(name, "is no file; write the name of a file")
		}
	}
	in, err := openFile(cmd, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, maxModelFile+1))
	if len(data) > maxModelFile {
		return nil, inputError(name, "is larger than %d MiB; write a smaller model", maxModelFile>>20)
	}
	return data, asInputError(name, err)
}
