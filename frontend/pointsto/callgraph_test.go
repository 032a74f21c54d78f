package pointsto

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
)

// TestCallGraphs requires that all functions and calls are among those that two coarser
// analyses of golang.org/x/tools find: rapid type analysis (without exception), and
// variable type analysis on top of it, on each program of testdata and on all cases of
// the checker as one. It logs the sizes.
func TestCallGraphs(t *testing.T) {
	forAll(t, func(t *testing.T, p *program) { compareCallGraphs(t, p.config()) })
	all, err := casePrograms()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("cases", func(t *testing.T) {
		if len(all) == 0 {
			t.Skip("no cases among -programs")
		}
		together := Config{Program: all[0].pkg.Prog}
		for _, p := range all {
			together.Roots = append(together.Roots, p.config().Roots...)
		}
		compareCallGraphs(t, together)
	})
}

// beyondVTA is where variable type analysis misses calls, by the beginning of the
// caller's name, and why.
var beyondVTA = map[string]string{
	"time.goFunc": "its argument comes through the runtime system, which time.newTimer hands it to",
	"(*crypto/cipher.cbcEncrypter).CryptBlocks": "the fields of a struct that was made " +
		"as one of another type, and converted",
	"(*crypto/cipher.cbcDecrypter).CryptBlocks": "the same",
	"(*fmt.pp).handleMethods": "parts of what is printed come by " +
		"reflection",
	"encoding/json.marshalerEncoder":     "reflect.TypeAssert",
	"encoding/json.textMarshalerEncoder": "reflect.TypeAssert",
	"encoding/json.typeFields$":          "reflect.TypeAssert",
	"(*archive/zip.nopCloser).": "sync.Map and sync.Pool hand out what " +
		"they hold",
	"(*bufio.Reader).":                   "the same",
	"(*compress/flate.":                  "the same",
	"(io.nopCloser":                      "the same",
	"encoding/json.addrMarshalerEncoder": "reflect.TypeAssert",
	"(*encoding/json.decodeState).": "parts of what is read into come by " +
		"reflection",
	"(*encoding/xml.printer).marshal": "parts of what is written come by " +
		"reflection",
	"(*encoding/xml.Decoder).unmarshal": "parts of what is read into come by " +
		"reflection",
	"(*encoding/gob.Encoder).encodeGobEncoder":                                  "reflect.TypeAssert",
	"(*encoding/gob.Decoder).decodeGobDecoder":                                  "reflect.TypeAssert",
	"github.com/empire-go/empire-go/frontend/pointsto/testdata/memory.":         "unsafe",
	"github.com/empire-go/empire-go/frontend/pointsto/testdata/language.panics": "errors.As stores by reflection",
}

func compareCallGraphs(t *testing.T, c Config) {
	r, err := analyze(t.Context(), c, true)
	if err != nil {
		t.Fatal(err)
	}
	rapid := rta.Analyze(c.Roots, true)
	functions := map[*ssa.Function]bool{}
	for f := range rapid.Reachable {
		functions[f] = true
	}
	byRTA, byVTA := callsOf(rapid.CallGraph), callsOf(vta.CallGraph(functions, rapid.CallGraph))
	calls := 0
	for _, n := range r.Nodes() {
		if !functions[n.Func] {
			t.Errorf("%s is not reached in RTA", n.Func)
		}
		if !r.Analysed(n) {
			continue // what it calls is in a model, or unknown
		}
		for _, e := range r.Calls(n) {
			if e.Start != nil {
				continue // a callback of the table
			}
			calls++
			call := siteCall{e.Site, e.Callee.Func}
			if !byRTA[call] {
				t.Errorf("%s does not call %s at %s in RTA", n.Func, e.Callee.Func, e.Site)
			}
			if !byVTA[call] && !isBeyondVTA(n.Func) {
				t.Errorf("%s does not call %s at %s in VTA", n.Func, e.Callee.Func, e.Site)
			}
		}
	}
	t.Logf("%d functions, %d in RTA; %d calls, %d in VTA, %d in RTA", len(r.Nodes()), len(functions), calls, len(byVTA),
		len(byRTA))
}

func isBeyondVTA(f *ssa.Function) bool {
	for caller := range beyondVTA {
		if strings.HasPrefix(f.String(), caller) {
			return true
		}
	}
	return false
}

// A siteCall is a call-graph edge.
type siteCall struct {
	site   ssa.CallInstruction
	callee *ssa.Function
}

func callsOf(g *callgraph.Graph) map[siteCall]bool {
	all := map[siteCall]bool{}
	for _, n := range g.Nodes {
		for _, e := range n.Out {
			all[siteCall{e.Site, e.Callee.Func}] = true
		}
	}
	return all
}
