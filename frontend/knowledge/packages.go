package knowledge

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Package is what is known of all functions of a package.
type Package struct {
	Synchronises bool // modelled as a whole: what its functions do is in their rows
	Pure         bool // its functions, but not its methods, compute results from their arguments alone, and keep none
	Output       bool // what its functions are handed goes to a log or a metric, or on to one that does this
	Below        bool // and so do the packages below it
	Helps        bool // its functions work on nothing but what they are handed
	Clock        bool // its functions wait for nothing but time

	// Formats is the methods that the package calls on a value in place of reading its
	// fields, when it formats or encodes it; nil if it does neither.
	Formats []string
	Serves  bool // modelled by what it calls back: it serves requests
	// Transfers tells that its methods Read, Write and the like hand bytes to the operating
	// system or get them from there, or from connections that are not looked into.
	Transfers   bool
	SystemCalls bool // its functions are calls of the operating system
}

// libraries is the packages of which something is known.
var libraries = map[string]Package{
	"bytes":         {Pure: true},
	"cmp":           {Pure: true},
	"crypto/tls":    {Serves: true, Transfers: true},
	"encoding/gob":  {Formats: []string{"GobEncode", "MarshalBinary", "MarshalText"}},
	"encoding/json": {Formats: []string{"MarshalJSON", "MarshalText"}},
	"encoding/xml":  {Formats: []string{"MarshalXML", "MarshalText"}},
	"expvar":        {Output: true, Below: true},
	"fmt":           {Formats: []string{"Format", "Error", "String", "GoString"}},
	"internal/poll": {Transfers: true},
	"internal/race": {Synchronises: true},
	"internal/sync": {Synchronises: true},
	"log":           {Output: true, Below: true, Formats: []string{"Format", "Error", "String", "GoString"}},
	"log/slog": {Output: true, Below: true,
		Formats: []string{"LogValue", "Error", "String", "MarshalJSON", "MarshalText"}},
	"maps":         {Helps: true},
	"math":         {Pure: true},
	"math/bits":    {Pure: true},
	"net":          {Serves: true, Transfers: true},
	"net/http":     {Serves: true, Transfers: true},
	"net/rpc":      {Serves: true},
	"runtime":      {Synchronises: true},
	"slices":       {Helps: true},
	"sort":         {Helps: true},
	"strconv":      {Pure: true},
	"strings":      {Pure: true},
	"sync":         {Synchronises: true},
	"syscall":      {Helps: true, SystemCalls: true},
	"sync/atomic":  {Synchronises: true},
	"time":         {Clock: true},
	"unicode":      {Pure: true},
	"unicode/utf8": {Pure: true},

	"golang.org/x/sys/unix":   {Helps: true, SystemCalls: true},
	"encoding/binary":         {Helps: true},
	"internal/runtime/atomic": {Synchronises: true},
	"net/http/httptest":       {Serves: true, Transfers: true},
	"net/http/internal":       {Serves: true, Transfers: true},
	"net/http/internal/http2": {Serves: true, Transfers: true},

	"github.com/go-kit/log":           {Output: true, Below: true},
	"github.com/golang/glog":          {Output: true, Below: true},
	"github.com/rs/zerolog":           {Output: true, Below: true},
	"github.com/sirupsen/logrus":      {Output: true, Below: true},
	"go.opentelemetry.io/otel/metric": {Output: true, Below: true},
	"go.uber.org/zap":                 {Output: true, Below: true},
	"k8s.io/klog":                     {Output: true, Below: true},

	"github.com/hashicorp/go-hclog":                  {Output: true, Below: true},
	"github.com/prometheus/client_golang/prometheus": {Output: true, Below: true},
}

// IsFromTable tells whether functions of a package of the standard library are known by what this
// table says of them, and their code is not looked into: nothing in there can be checked.
func IsFromTable(path string) bool {
	p := libraries[path]
	return p.Synchronises || p.Serves || p.Transfers || p.Formats != nil || isOutputPackage(path) || IsOpaquePackage(path)
}

// isOutputPackage tells whether what functions of the package are handed goes to a log or
// a metric.
func isOutputPackage(path string) bool {
	if libraries[path].Output {
		return true
	}
	for i, c := range path {
		if c == '/' && libraries[path[:i]].Output && libraries[path[:i]].Below {
			return true
		}
	}
	return false
}

// pathBehind is PackagePath for wrappers, too: the package of what they are made for.
func pathBehind(fn *ssa.Function) string {
	path := PackagePath(fn)
	if obj := fn.Object(); path == "" && obj != nil && obj.Pkg() != nil {
		return obj.Pkg().Path()
	}
	return path
}

// PackagePath returns the path of the package that declares fn, "" if none does:
// wrappers (promoted and bound methods) call what they are made for.
func PackagePath(fn *ssa.Function) string {
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	return ""
}

// IsStandardPath tells whether a path may be that of a package of the standard library: it is none of the clients of a
// library, and of none that a module path with a host begins.
func IsStandardPath(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && path != ClientPath
}

// isSynchronising tells whether the functions of the package are modelled as a whole.
func isSynchronising(path string) bool { return libraries[path].Synchronises }

// isPrintingPackage tells whether the package formats or encodes what it is handed.
func isPrintingPackage(path string) bool { return libraries[path].Formats != nil }

// hasPrefix tells whether the name begins with one of the prefixes.
func hasPrefix(name string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// set returns the names as a set.
func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}
