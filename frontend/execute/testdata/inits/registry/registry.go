// Package registry has names that other packages register.
package registry

var names []string

// Register adds a name.
func Register(name string) bool {
	names = append(names, name)
	return true
}

// Names returns the names.
func Names() []string { return names }
