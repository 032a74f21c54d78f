// Package pool carries out sweeps on many machines: a coordinator plans, and hands out tasks by a queue; workers answer
// them in child processes, and hand in what they have found. The table is that of one process.
//
// What may end at any moment, killed or cut off, is each worker, each child, the coordinator, and a node of three:
// see package queue for why no task is lost, and Coordinator for why no answer is.
//
// # Whom to trust
//
// A worker is trusted with its answers. It cannot write for another worker, hand in what was not handed out, or replace
// what is decided; but it can hand in a wrong answer, and a wrong "safe" looks like a right one. The coordinator
// answers a sample itself (see Coordinator.Verify), so who is wrong often is found out, and who is wrong once is not.
//
// A coordinator is trusted with what its workers read. It can name packages below the worker's directory, and hand
// out sources, which a child loads and does not run: without cgo, other tool chains or settings of the user's, in an
// empty home directory. Sources can make a child use all memory that it may, and all the time.
package pool

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"

	empire "github.com/empire-go/empire-go"
	"github.com/empire-go/empire-go/sweep"
	"github.com/empire-go/empire-go/sweep/jetstream"
)

// task is a batch: requests about programs of one module, most of them about one program.
type task struct {
	Module  string         // its path, for people
	Sources string         // what the sources are kept under; "": each worker has its own checkout
	Sub     string         // the directory of the sources that packages are named in
	Load    empire.Request // what is loaded
	Run     string         // of a sweep that answers everything again: which answers are its own
	Asked   []asked
}

// asked is a part of the plan, as it differs from task.Load.
type asked struct {
	Key, Program string
	Request      json.RawMessage
}

// result is what a worker hands in.
type result struct {
	Worker  string // its name, for people
	Number  int64  // so that no two results are the same
	Answers []answered
}

type answered struct {
	Key     string
	Answer  sweep.Answer
	Crashes int // of children, that were counted for it
}

// What messages are bounded by, in bytes when they are unpacked, and in number.
const (
	maxUnpacked = 64 << 20
	maxAnswer   = jetstream.MaxMessage / 2
	maxRows     = 100_000
)

// pack returns the form of a value in a message.
func pack(value any) ([]byte, error) {
	var text bytes.Buffer
	w, _ := gzip.NewWriterLevel(&text, gzip.BestSpeed) // the level is valid
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	if err := out.Encode(value); err != nil {
		return nil, err
	}
	err := w.Close()
	return text.Bytes(), err
}

// unpack reads a message, which anyone may have written.
func unpack(text []byte, value any) error {
	r, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		return err
	}
	in := &io.LimitedReader{R: r, N: maxUnpacked + 1}
	err = json.NewDecoder(in).Decode(value)
	if in.N == 0 {
		return fmt.Errorf("has more than %d bytes", maxUnpacked)
	}
	return err
}

var (
	isKey  = regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString
	isTags = regexp.MustCompile(`^[\pL\pN_.,]*$`).MatchString
)

// check looks at a task that a coordinator has sent, before anything is done with it.
func (t *task) check() error {
	for _, p := range t.Load.Packages {
		if !isInside(p) {
			return fmt.Errorf("the task names packages by %q, which may lie outside of the directory", p)
		}
	}
	if !isTags(t.Load.Tags) {
		return fmt.Errorf("the task has build tags %q", t.Load.Tags)
	}
	if t.Sub != "" && (!isInside(t.Sub) || strings.Contains(t.Sub, "...")) {
		return fmt.Errorf("the task is about the directory %q", t.Sub)
	}
	if t.Sources != "" && !isKey(t.Sources) {
		return fmt.Errorf("the task has sources %q", t.Sources)
	}
	for _, a := range t.Asked {
		if !isKey(a.Key) {
			return fmt.Errorf("the task asks about %q", a.Key)
		}
	}
	return nil
}

// isInside tells whether a package pattern, or a directory, is one of the module.
func isInside(pattern string) bool {
	if pattern == "" || strings.HasPrefix(pattern, "-") || path.IsAbs(pattern) ||
		strings.ContainsAny(pattern, "=\\:\x00") {
		return false
	}
	for element := range strings.SplitSeq(pattern, "/") {
		if element == ".." {
			return false
		}
	}
	return true
}

// request returns the request of a part.
func (t *task) request(a asked) (sweep.Asked, error) {
	r := t.Load
	err := json.Unmarshal(a.Request, &r)
	return sweep.Asked{Key: a.Key, Program: a.Program, Request: r}, err
}

// differing returns what of a request differs from another one: the least that request needs.
func differing(r, from empire.Request) (json.RawMessage, error) {
	all, base := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for value, into := range map[*empire.Request]*map[string]json.RawMessage{&r: &all, &from: &base} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, err
		}
	}
	for name, value := range all {
		if bytes.Equal(value, base[name]) {
			delete(all, name)
		}
	}
	return json.Marshal(all)
}

// check looks at an answer that a worker has handed in.
func (a answered) check() error {
	if len(a.Answer.Rows) > maxRows {
		return fmt.Errorf("an answer with %d rows", len(a.Answer.Rows))
	}
	for _, r := range a.Answer.Rows {
		switch r.Query.Verdict {
		case empire.VerdictSafe, empire.VerdictViolation, empire.VerdictUnknown:
		default:
			return fmt.Errorf("an answer with the verdict %q", r.Query.Verdict)
		}
	}
	return nil
}
