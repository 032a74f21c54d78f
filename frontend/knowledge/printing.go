package knowledge

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// IsPartOfPrinting tells whether a call is how a function that formats or encodes reads what it
// was handed: by one of package unicode/utf8 that only looks at bytes. That it reads them is
// known of the function that was called first.
func IsPartOfPrinting(caller, callee *ssa.Function) bool {
	return packagePath(callee) == "unicode/utf8" && isPrintingPackage(packagePath(caller)) &&
		!strings.HasPrefix(callee.Name(), "Encode") && !strings.HasPrefix(callee.Name(), "Append")
}
