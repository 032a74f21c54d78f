package instrument

import (
	"path/filepath"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

func parse(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }

// relative is the name of a file relative to a directory, with slashes.
func relative(root, name string) string {
	if rel, err := filepath.Rel(root, name); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	return filepath.ToSlash(name)
}
