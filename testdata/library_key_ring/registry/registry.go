// Package registry knows suites by their names.
package registry

var byName = map[string]func() int{}

// Register makes a suite known; use says how it is used.
func Register(name string, strength int, use func(func() int)) {
	byName[name] = func() int { return strength }
	use(byName[name])
}

// Strength returns how strong a suite is, 0 if it is not known.
func Strength(name string) int {
	if strength := byName[name]; strength != nil {
		return strength()
	}
	return 0
}
