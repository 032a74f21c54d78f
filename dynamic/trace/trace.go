package trace

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// FormatSource is the text of a Go file of a package trace that needs only the standard
// library: Op, Record and the functions of the byte layout. An instrumented program gets it
// as a package of its own, so that it writes what this package reads.
//
//go:embed format.go
var FormatSource string

// Event is a record in its place: what the merging reader yields.
type Event struct {
	Goroutine uint32
	Seq       uint64 // in its goroutine, from 0
	Record
	Shared bool // in a reduced trace: it is an access to an object that several goroutines have accessed
}

// Header is the beginning of a file: what its numbers mean.
type Header struct {
	GoVersion string          `json:"go,omitempty"`
	Module    string          `json:"module,omitempty"`   // path of the main module
	Root      string          `json:"root,omitempty"`     // directory that positions are relative to
	Sites     []Site          `json:"sites"`              // by number; 0 is no site
	Plan      json.RawMessage `json:"plan,omitempty"`     // what was watched
	Reduced   bool            `json:"reduced,omitempty"`  // what can match no pattern was left out
	Imported  bool            `json:"imported,omitempty"` // from an STD file: fields are names in it
	Yields    []string        `json:"yields,omitempty"`   // places at which the program yields, besides Yield records
}

// Site is a place of the program that records come from.
type Site struct {
	Pos      string `json:"pos"` // file.go:line:column
	Function string `json:"function,omitempty"`
	Kind     string `json:"kind"`            // "read", "write", "rmw", "unit", "lock", "type", ...
	Set      int    `json:"set,omitempty"`   // index into the plan's atomic sets; -1 of an access: Object is the location
	Field    string `json:"field,omitempty"` // dotted name; of what belongs to no set how it is named there
	Exact    bool   `json:"exact,omitempty"` // of an access: it is one step with its record
	// Of an access in a program that is recorded in full. Uses: what is read there is used so that nil would panic.
	// FromNil: and there is no place where the variable is made with a value. SetsNil: it is set to nil.
	Uses    bool `json:"uses,omitempty"`
	FromNil bool `json:"fromNil,omitempty"`
	SetsNil bool `json:"setsNil,omitempty"`
}

// Orders returns which of the orders of an object the records of each site are in, if the trace is reduced; else all
// are in one.
func (h *Header) Orders() []uint8 {
	orders := make([]uint8, len(h.Sites))
	if !h.Reduced {
		return orders
	}
	var plan struct{ Sets []struct{ Type string } }
	if json.Unmarshal(h.Plan, &plan) != nil {
		return orders
	}
	ofSet, used := make([]uint8, len(plan.Sets)), map[string]uint8{}
	for i, s := range plan.Sets {
		ofSet[i] = min(used[s.Type], MaxOrders-1)
		used[s.Type]++
	}
	for i, s := range h.Sites {
		if s.Set >= 0 && s.Set < len(ofSet) {
			orders[i] = ofSet[s.Set]
		}
	}
	return orders
}

// BlockKind is the Kind of the site of a UnitBegin or UnitEnd that belongs to a block that the program says is atomic,
// and to no function.
const BlockKind = "block"

// LookToSend is the Kind of the site of a send that a select with a default has left out.
const LookToSend = "look-send"

// TrySend is the Kind of the site of a send that a select with a default may leave out.
const TrySend = "send-try"

// Site is the site with a number; an unknown number is a site without a position.
func (h *Header) Site(n uint32) Site {
	if int(n) >= len(h.Sites) {
		return Site{Pos: fmt.Sprintf("site %d", n), Kind: "unknown"}
	}
	return h.Sites[n]
}

// Encode is the header as a file begins with it.
func (h *Header) Encode() ([]byte, error) {
	if len(h.Sites) > 1<<24 {
		return nil, fmt.Errorf("%d sites, more than a trace can number; watch fewer packages", len(h.Sites))
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	return AppendFileHeader(nil, text), nil
}

var opNames = [...]string{
	Read: "read", Write: "write", RMW: "rmw", AtomicRead: "atomic-read", AtomicWrite: "atomic-write",
	UnitBegin: "unit-begin", UnitWith: "unit-with", UnitSplit: "unit-split", UnitEnd: "unit-end",
	Lock: "lock", Unlock: "unlock", RLock: "rlock", RUnlock: "runlock", TryLockFailed: "trylock-failed",
	Add: "add", Done: "done", Wait: "wait", Send: "send", Recv: "recv", Close: "close",
	OnceBegin: "once-begin", OnceEnd: "once-end", OnceDone: "once-done",
	CondWait: "cond-wait", Signal: "signal", Broadcast: "broadcast",
	Go: "go", Start: "start", End: "end",
	ObjectMade: "object-made", Escape: "escape", ObjectGone: "object-gone",
	Offer: "offer", Declined: "declined", Worked: "worked",
	Prewait: "prewait", Presend: "presend", Postsend: "postsend", Yield: "yield",
	Waits: "waits", Room: "room",
}

func (op Op) String() string {
	if op == 0 || op >= opEnd {
		return fmt.Sprintf("op-%d", uint8(op))
	}
	return opNames[op]
}
