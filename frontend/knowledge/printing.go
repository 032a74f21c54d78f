package knowledge

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// IsPartOfPrinting tells whether a call is how a function that formats or encodes reads what it
// was handed: by one of package unicode/utf8 that only looks at bytes. That it reads them is
// known of the function that was called first.
func IsPartOfPrinting(caller, callee *ssa.Function) bool {
	return PackagePath(callee) == "unicode/utf8" && isPrintingPackage(PackagePath(caller)) &&
		!strings.HasPrefix(callee.Name(), "Encode") && !strings.HasPrefix(callee.Name(), "Append")
}

// FormatsHanded tells whether fn belongs to a package whose functions format or encode, and call methods only
// on what they are handed in the call that is being carried out, and on what that leads to; but see
// CallsOnHanded. (One of package log/slog has a handler and values besides.)
func FormatsHanded(fn *ssa.Function) bool {
	switch pathBehind(fn) {
	case "fmt", "log", "encoding/json", "encoding/xml", "encoding/gob":
		return true
	}
	return false
}

// CallsOnHanded tells whether that is so of a method that fn calls: a logger has a writer besides.
func CallsOnHanded(fn *ssa.Function, method string) bool {
	path := pathBehind(fn)
	return path != "log" || slices.Contains(libraries[path].Formats, method)
}

// UsesMethodsOnly tells whether fn calls the methods of an interface type on an argument of that type, but does
// not look into it.
func UsesMethodsOnly(fn *ssa.Function) bool { return pathBehind(fn) == "fmt" }
