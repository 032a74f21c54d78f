package knowledge

import (
	"go/types"
	"slices"
	"strings"
)

// simultaneous is interfaces whose methods goroutines call at the same time: their documentation says so, or their
// package does it.
var simultaneous = []string{
	"context.Context", "crypto/tls.ClientSessionCache", "database/sql/driver.Connector", "database/sql/driver.Driver",
	"expvar.Var", "io.ReaderAt", "io.WriterAt", "log/slog.Handler", "net.Conn", "net.Listener", "net.PacketConn",
	"net/http.CookieJar", "net/http.Handler", "net/http.RoundTripper",
}

// IsSimultaneous tells whether goroutines call a method at the same time because of an interface of the standard
// library that the type of its receiver implements. Find returns a package of the program, or nil.
func IsSimultaneous(method *types.Func, find func(path string) *types.Package) bool {
	recv := method.Signature().Recv()
	return recv != nil && slices.ContainsFunc(simultaneous, func(full string) bool {
		dot := strings.LastIndex(full, ".")
		pkg := find(full[:dot])
		if pkg == nil {
			return false
		}
		of := pkg.Scope().Lookup(full[dot+1:]).Type().Underlying().(*types.Interface)
		named, _, _ := types.LookupFieldOrMethod(of, false, pkg, method.Name())
		return named != nil && types.Implements(recv.Type(), of)
	})
}
