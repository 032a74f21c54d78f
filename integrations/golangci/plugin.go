// Package golangci is the module plugin of golangci-lint: see README.md beside it.
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/empire-go/empire-go/integrations/analyzer"
)

func init() { register.Plugin("empire", New) }

// New makes the linter; it has no settings.
func New(any) (register.LinterPlugin, error) { return plugin{}, nil }

type plugin struct{}

// BuildAnalyzers returns the analysis.
func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{analyzer.Plain}, nil
}

// GetLoadMode says that types are needed: the paths and names of packages.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
