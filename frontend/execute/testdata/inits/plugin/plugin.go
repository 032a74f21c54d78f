// Package plugin registers itself: nothing else of it is used.
package plugin

import "github.com/empire-go/empire-go/frontend/execute/testdata/inits/registry"

var _ = registry.Register("variable")

func init() { registry.Register("init") }
