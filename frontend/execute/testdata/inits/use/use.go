// Package use uses what other packages prepare.
package use

import (
	"github.com/empire-go/empire-go/frontend/execute/testdata/inits/huge"
	_ "github.com/empire-go/empire-go/frontend/execute/testdata/inits/plugin"
	"github.com/empire-go/empire-go/frontend/execute/testdata/inits/registry"
	"github.com/empire-go/empire-go/frontend/execute/testdata/inits/tables"
)

// Words returns words.
func Words() []string { return tables.Words }

// Plugins returns what others have registered: nothing here touches a variable of theirs.
func Plugins() []string { return registry.Names() }

// Index returns the index of a word.
func Index(word string) int { return tables.Index(word) }

// Sum returns a number that does not need what is dear.
func Sum() int { return huge.Small + tables.Count }
