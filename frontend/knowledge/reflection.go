package knowledge

// CallsByReflection tells whether a package of the standard library calls functions and
// methods of the program by reflection, and what it calls is not followed.
func CallsByReflection(path string) bool { return path == "net/rpc" || path == "testing/quick" }
