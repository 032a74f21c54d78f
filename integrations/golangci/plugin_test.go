package golangci

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
)

// TestPlugin: golangci-lint finds the linter by its name.
func TestPlugin(t *testing.T) {
	build, err := register.GetPlugin("empire")
	if err != nil {
		t.Fatal(err)
	}
	p, err := build(nil)
	if err != nil {
		t.Fatal(err)
	}
	if all, err := p.BuildAnalyzers(); err != nil || len(all) != 1 || all[0].Name != "empire" {
		t.Errorf("%v, %v", all, err)
	}
}
