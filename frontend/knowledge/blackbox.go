package knowledge

import "go/types"

// blackBoxes is the packages of objects that several goroutines may use at a time, as
// their documentation says, and that stand for something outside of the program, or never
// change: their settings, if they have any, are told by properties.
var blackBoxes = set("crypto/tls", "crypto/x509", "database/sql", "html/template", "internal/poll", "log", "log/slog",
	"net", "net/http", "net/rpc",
	"os", "regexp", "regexp/syntax", "text/template", "text/template/parse")

// blackBoxTypes is such types of other packages.
var blackBoxTypes = set("io.PipeReader", "io.PipeWriter", "time.Timer", "time.Ticker", "time.Location")

// IsBlackBox tells whether values of the type are objects of the standard library that
// several goroutines may use at a time, such as a net.Conn, an *os.File, a
// *regexp.Regexp or a *log.Logger. What is in their unexported fields is their own
// business: a call of a method is no access to it.
func IsBlackBox(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	path := named.Obj().Pkg().Path()
	_, isStruct := named.Underlying().(*types.Struct)
	return isStruct && (blackBoxes[path] || blackBoxTypes[path+"."+named.Obj().Name()])
}

// NeverChanges tells whether objects of the type are the same for ever, as far as anybody
// can see: those of the standard library that are shared by pointers in values, as the
// location of a time.Time.
func NeverChanges(t types.Type) bool { return isNamed(t, "time", "Location") }
