package knowledge

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// transfers is the packages whose methods hand bytes to the operating system or get
// them from there, or to and from connections that are not looked into.
var transfers = set("internal/poll", "net", "net/http", "net/http/httptest", "net/http/internal", "net/http/internal/http2", "crypto/tls")

// transferEffect knows the methods Read, Write and the like of these packages.
func transferEffect(fn *ssa.Function) (Effect, bool) {
	path := packagePath(fn)
	if obj := fn.Object(); path == "" && obj != nil && obj.Pkg() != nil { // a promoted method
		path = obj.Pkg().Path()
	}
	if !transfers[path] || fn.Signature.Recv() == nil || !takesBytes(fn) {
		return Effect{}, false
	}
	switch name := strings.ToLower(fn.Name()); {
	case strings.HasPrefix(name, "write"), strings.HasPrefix(name, "pwrite"):
		return Effect{Reads: true, Bytes: true}, true
	case strings.HasPrefix(name, "read"), strings.HasPrefix(name, "pread"):
		return Effect{Writes: true, Bytes: true}, true
	}
	return Effect{}, false
}

func takesBytes(fn *ssa.Function) bool {
	for p := range fn.Signature.Params().Variables() {
		if isBytes(p.Type()) {
			return true
		}
	}
	return false
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	element, ok := slice.Elem().Underlying().(*types.Basic)
	return ok && element.Kind() == types.Byte
}
