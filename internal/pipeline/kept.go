package pipeline

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/empire-go/empire-go/frontend/load"
	"github.com/empire-go/empire-go/internal/answers"
)

// kept is what earlier runs have found out, and what this one has. There are two levels. The answer to a
// whole request is found without loading anything, where no source means anything else than then. The
// answer to a query is found when the call graph is there, where all that its program can reach is the same,
// see slice.go. What is unknown is never kept.
//
// The methods of nil keep and find nothing.
type kept struct {
	store *answers.Store
	tree  *answers.Tree // as it was before anything was loaded

	mu      sync.Mutex
	pending map[string][]byte // entries, by key: they are kept if the sources are still the same at the end
	names   map[string]*answers.File
	hits    int
	isOpen  bool // something is unknown, or only known in part
	events  []event
}

// event is an Event as it is kept.
type event struct {
	Phase   *Phase          `json:",omitempty"`
	Answer  json.RawMessage `json:",omitempty"`
	Blocked json.RawMessage `json:",omitempty"`
}

// answeredRequest is one with all that was told of it.
type answeredRequest struct {
	Result json.RawMessage
	Dir    string // Result.ModuleRootDir
	Events []event
}

// newKept returns nil where nothing is to be kept, or it is not known what answers depend on.
func newKept(r Request) *kept {
	if r.Answers == nil || r.checksProofs != nil || r.checksRaces != nil {
		return nil
	}
	tree, err := answers.ReadTree(r.Dir, r.Packages)
	if err != nil {
		return nil
	}
	return &kept{store: r.Answers, tree: tree, pending: map[string][]byte{}, names: map[string]*answers.File{}}
}

// keys returns the keys of the answer to a request: with the meaning of the sources, and with their text,
// where the answer has lines that cannot be followed. The former is "" where the request has a line itself.
func (k *kept) keys(r Request) (meaning, text string) {
	r.Timings = false
	asked := marshal(r)
	text = k.store.Key("request", "text", string(asked), k.tree.Text())
	if strings.Contains(r.Site, ":") {
		return "", text
	}
	return k.store.Key("request", "meaning", string(asked), k.tree.Meaning()), text
}

// recall answers a request; nil: it has not been answered.
func (k *kept) recall(r Request) *Result {
	if k == nil {
		return nil
	}
	meaning, text := k.keys(r)
	for _, key := range []string{meaning, text} {
		if key == "" {
			continue
		}
		entry, ok := k.store.Get(key)
		if !ok {
			continue
		}
		if key == meaning {
			entry, ok = k.tree.Unpack(entry)
		}
		if result := new(Result); ok && replay(r, entry, result) {
			return result
		}
	}
	return nil
}

// replay tells the observer what it was told then.
func replay(r Request, entry []byte, result *Result) bool {
	a := answeredRequest{}
	if json.Unmarshal(entry, &a) != nil || json.Unmarshal(a.Result, result) != nil {
		return false
	}
	result.ModuleRootDir = a.Dir
	if r.Observe == nil {
		return true
	}
	told := make([]Event, len(a.Events))
	for i, e := range a.Events {
		told[i].Phase = e.Phase
		if e.Answer != nil && json.Unmarshal(e.Answer, &told[i].Answer) != nil ||
			e.Blocked != nil && json.Unmarshal(e.Blocked, &told[i].Blocked) != nil {
			return false
		}
	}
	r.Observe(Event{Begin: newResult(r, nil)})
	for _, e := range told {
		r.Observe(e)
	}
	return true
}

// record notes what the observer is told from now on.
func (k *kept) record(r *Request) {
	if k == nil {
		return
	}
	observe := r.Observe
	r.Observe = func(e Event) {
		switch {
		case e.Phase != nil:
			k.events = append(k.events, event{Phase: e.Phase})
		case e.Answer != nil:
			k.events = append(k.events, event{Answer: marshal(e.Answer)})
		case e.Blocked != nil:
			k.events = append(k.events, event{Blocked: marshal(e.Blocked)})
		}
		if observe != nil {
			observe(e)
		}
	}
}

// leaveOut notes that the answer to the request is not to be kept.
func (k *kept) leaveOut() {
	if k != nil {
		k.isOpen = true
	}
}

// aside returns what undoes the effects on what is counted and kept of answers that are asked for from now on, which
// are none of the request's.
func (k *kept) aside() (undo func()) {
	if k == nil {
		return func() {}
	}
	isOpen, hits := k.isOpen, k.hits
	return func() { k.isOpen, k.hits = isOpen, hits }
}

// keepResult keeps the answer to a request.
func (k *kept) keepResult(r Request, program *load.Program, result *Result) {
	if k == nil || k.isOpen || program == nil || result.Verdict == VerdictUnknown {
		return
	}
	for i := range result.Queries {
		if !result.Queries[i].isDecided() {
			return
		}
	}
	for _, b := range result.Blocking {
		if b.Verdict == VerdictUnknown {
			return
		}
	}
	entry := marshal(answeredRequest{marshal(result), result.ModuleRootDir, k.events})
	meaning, text := k.keys(r)
	// The lines of comments that accept violations, and those of sources that were stated anew, are not followed.
	if meaning != "" && len(result.Ignores) == 0 && len(program.Stated()) == 0 {
		if packed, ok := k.tree.Pack(result.ModuleRootDir, entry); ok {
			k.put(meaning, packed)
			return
		}
	}
	k.put(text, entry)
}

// put keeps an entry when the run has ended.
func (k *kept) put(key string, value []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pending[key] = value
}

// flush writes what is to be kept, if what was read is what is there now.
func (k *kept) flush() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.pending) > 0 && k.tree.IsUnchanged() {
		for key, value := range k.pending {
			k.store.Put(key, value)
		}
	}
	clear(k.pending)
}

// get returns an entry, also one of this run.
func (k *kept) get(key string) ([]byte, bool) {
	k.mu.Lock()
	value, ok := k.pending[key]
	k.mu.Unlock()
	if ok {
		return value, true
	}
	return k.store.Get(key)
}

// reused returns how many queries were answered by earlier runs.
func (k *kept) reused() int {
	if k == nil {
		return 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.hits
}

func (k *kept) hit() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.hits++
}

// marshal returns the JSON form of what has one.
func marshal(value any) []byte {
	text, err := answers.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}
