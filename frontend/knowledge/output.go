package knowledge

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// outputPackages is the packages of which every function and method that is handed a
// value writes it to a log or counts it in a metric, or hands it on to one of them.
var outputPackages = []string{
	"log", "log/slog", "expvar",
	"github.com/golang/glog", "k8s.io/klog", "go.uber.org/zap", "github.com/sirupsen/logrus", "github.com/rs/zerolog",
	"github.com/go-kit/log", "github.com/hashicorp/go-hclog", "github.com/prometheus/client_golang/prometheus", "go.opentelemetry.io/otel/metric",
}

// printing is the functions that write to the standard output.
var printing = set("fmt.Print", "fmt.Printf", "fmt.Println",
	"(*testing.common).Log", "(*testing.common).Logf", "(testing.TB).Log", "(testing.TB).Logf")

// printingTo is the functions that write to their first argument.
var printingTo = set("fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln")

// formatting is the functions that make a text of their arguments.
var formatting = set("fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln", "fmt.Errorf")

// IsOutput tells whether the call does nothing with its arguments but write them to a
// log, to the standard output or error, or to a metric.
func IsOutput(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "print" || b.Name() == "println"
	}
	if call.IsInvoke() {
		return isOutputPackage(call.Method.Pkg()) || printing[call.Method.FullName()]
	}
	callee := call.StaticCallee()
	if callee == nil {
		return false
	}
	full := Name(callee)
	switch {
	case printing[full]:
		return true
	case printingTo[full]:
		return isStandardStream(call.Args[0])
	}
	return callee.Pkg != nil && isOutputPackage(callee.Pkg.Pkg)
}

// IsFormatting tells whether the call makes a text of its arguments.
func IsFormatting(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	return callee != nil && formatting[Name(callee)]
}

func isOutputPackage(p *types.Package) bool {
	return p != nil && slices.ContainsFunc(outputPackages, func(path string) bool {
		return p.Path() == path || strings.HasPrefix(p.Path(), path+"/")
	})
}

// isStandardStream tells whether a writer is os.Stdout or os.Stderr.
func isStandardStream(writer ssa.Value) bool {
	if boxed, ok := writer.(*ssa.MakeInterface); ok {
		writer = boxed.X
	}
	load, ok := writer.(*ssa.UnOp)
	if !ok {
		return false
	}
	global, ok := load.X.(*ssa.Global)
	return ok && (global.String() == "os.Stdout" || global.String() == "os.Stderr")
}
