// Package sample chooses the cases that a test takes when it cannot take all of them.
package sample

import (
	"hash/fnv"
	"os"
)

// Has tells whether the test takes the case with the name: about one of so many cases, or each
// of them with EMPIRE_LONG set. The choice depends on the two names only: it stays when other
// cases are added, and every test takes others.
func Has(test, name string, of uint32) bool {
	if os.Getenv("EMPIRE_LONG") != "" {
		return true
	}
	h := fnv.New32a()
	h.Write([]byte(test + " " + name))
	return h.Sum32()>>8%of == 0
}
