package preserving

import (
	"testing"

	"github.com/empire-go/empire-go/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m, ".") }
