package knowledge

import "golang.org/x/tools/go/ssa"

// Writer is the writer that a function calls under a lock of its receiver.
type Writer struct {
	Field  string // of the receiver
	Shares bool   // copies of the receiver share the lock
}

// serialisers is the functions that call a writer under a lock. Evidence: "A Logger [...]
// guarantees to serialize access to the Writer" (package log); "Each call to Handle results in a
// single serialized call to io.Writer.Write" (log/slog, TextHandler and JSONHandler), where
// commonHandler.clone hands on its mutex.
var serialisers = map[string]Writer{
	"(*log.Logger).output":             {Field: "out"},
	"(*log/slog.commonHandler).handle": {Field: "w", Shares: true},
}

// outputSetters is the functions by which a logger or handler gets its writer, and which of
// their arguments that is.
var outputSetters = map[string]int{
	"log.New": 0, "log.SetOutput": 0, "(*log.Logger).SetOutput": 1,
	"log/slog.NewTextHandler": 0, "log/slog.NewJSONHandler": 0,
}

// SerialisesOutput tells whether fn calls the writer in a field of its receiver under a lock of
// that receiver, and which writer it is.
func SerialisesOutput(fn *ssa.Function) (writer Writer, ok bool) {
	if !isLogging(fn) {
		return Writer{}, false
	}
	writer, ok = serialisers[Name(fn)]
	return writer, ok
}

// SetsOutput tells whether fn makes one of its arguments the writer of a logger or handler, and
// which one.
func SetsOutput(fn *ssa.Function) (argument int, ok bool) {
	if !isLogging(fn) {
		return 0, false
	}
	argument, ok = outputSetters[Name(fn)]
	return argument, ok
}

// isLogging tells whether fn is of a package that serialises output.
func isLogging(fn *ssa.Function) bool {
	path := PackagePath(fn)
	return path == "log" || path == "log/slog"
}
