package knowledge

import (
	"slices"
	"strings"
)

// What a method does in the life of an object is told by its name, by convention: a server is started, used, and shut
// down. Who uses it before it is started, or while it is, makes a mistake that no lock of the object mends. It is
// otherwise with who ends it at that time, or starts it twice: clients do so, and libraries are made for it.

var (
	begins = []string{"init", "initialize", "initialise", "start", "startup", "setup"}
	ends   = []string{"stop", "close", "shutdown", "fini", "finish", "finalize", "finalise", "end", "cancel", "kill",
		"exit", "quit", "abort", "destroy", "dispose", "release", "disconnect", "terminate", "halt", "reset", "restart"}
)

// IsTooEarly tells whether of calls of two methods of an object, by their names, one begins its life, and the other one
// neither begins nor ends it.
func IsTooEarly(a, b string) bool { return isBegin(a) && isUse(b) || isBegin(b) && isUse(a) }

func isBegin(method string) bool {
	return slices.Contains(begins, strings.ToLower(strings.TrimSuffix(method, "Context")))
}

func isUse(method string) bool {
	method = strings.ToLower(method)
	return !isBegin(method) && !slices.ContainsFunc(ends, func(end string) bool { return strings.HasPrefix(method, end) })
}
