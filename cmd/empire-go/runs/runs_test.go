// Package runs tests what the command does with running programs: run, test, confirm, replay
// and --confirm. It is apart from the other tests of the command because it takes as long as
// all of them.
package runs

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/empire-go/empire-go/cmd/empire-go/internal/script"
)

func TestMain(m *testing.M) { testscript.Main(m, script.Commands) }

// TestScript runs testdata/*.txtar, as package script says.
func TestScript(t *testing.T) { script.Run(t, "testdata") }
