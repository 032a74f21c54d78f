package command_test

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/empire-go/empire-go/cmd/empire-go/internal/script"
)

func TestMain(m *testing.M) { testscript.Main(m, script.Commands) }

// TestScript runs testdata/script/*.txtar, as package script says. Those that build and run
// programs are in ../runs.
func TestScript(t *testing.T) { script.Run(t, "testdata/script") }
