package candidates

import (
	"slices"
	"strings"
	"unicode"
)

// Comments say which lock is for which fields, in a few words and many orders: "mu guards a and b",
// "protected by mu", "hold mu to access a", "protects everything below". One reader takes them all:
// it splits a comment into words, finds the word that makes the sentence one about a lock, and takes
// the lock and the fields from the words on either side, as far as these name any.

// scope is fields that a sentence means without naming them.
type scope int

const (
	onlyNamed scope = iota
	following       // up to the next blank line
	allBelow        // up to the next lock
	preceding
	whole // all fields
)

// sentence is what a comment says: the lock is for the fields.
type sentence struct {
	lock   string
	fields []string
	scope  scope
}

// wording is what a comment can name.
type wording struct {
	isField func(string) bool
	lockOf  func(string) string // the lock that a word means, "" if it means none
	self    []string            // the fields that the comment stands at; none if it is one of the type
	isLock  bool                // what it stands at is a lock
}

// read returns what a comment says.
func (w wording) read(text string) []sentence {
	var all []sentence
	for _, words := range sentencesOf(text) {
		for i := range words {
			if s, ok := w.at(words, i); ok {
				all = append(all, s)
				break
			}
		}
	}
	return all
}

// The words that make a sentence one about a lock, by what stands beside them.
var (
	lockDoes = wordSet("guards protects guard protect guarding protecting serializes serialises synchronizes " +
		"synchronises")
	doneByLock = wordSet("guarded protected synchronized synchronised serialized serialised locked covered")
	by         = wordSet("by with under via using through")
	holding    = wordSet("hold holds held holding requires require acquire acquired acquiring lock locked under")
	accessing  = wordSet("access accessed accesses accessing read reads reading write writes writing written modify " +
		"modified modifying mutate mutated mutating change changed changing changes update updated " +
		"updating touch touched touching use used using set")
	calling     = wordSet("call calls called calling invoke invoked invokes run runs")
	denying     = wordSet("not never no without doesn't don't isn't aren't needn't cannot un")
	ending      = wordSet("from against when while until if because so that which but except unless since for during")
	belowWords  = wordSet("following follow follows below beneath underneath next remaining rest")
	aboveWords  = wordSet("above preceding previous")
	allWords    = wordSet("everything all every")
	wholeWords  = wordSet("fields field struct structure state object everything members type")
	fillerWords = wordSet("the a an its own this that these those both also is are be must should to of only access " +
		"accesses fields field and or our struct's")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// at returns what the sentence says if word i makes it one about a lock.
func (w wording) at(words []string, i int) (s sentence, ok bool) {
	word := strings.ToLower(words[i])
	for j := max(0, i-2); j < i; j++ {
		if denying[strings.ToLower(words[j])] {
			return s, false
		}
	}
	before, after := words[:i], words[i+1:]
	switch {
	case word == "checklocks" && len(after) > 1 && after[0] == ":":
		s.lock = w.lockOf(after[1])
		s.fields = w.self
	case doneByLock[word] && len(after) > 0 && by[strings.ToLower(after[0])]:
		if s.lock = w.lockIn(after[1:]); s.lock == "" {
			return s, false
		}
		if s.fields, s.scope = w.objects(before, words); len(s.fields) == 0 && s.scope == onlyNamed {
			s.fields, s.scope = w.standing(words)
		}
	case lockDoes[word]:
		if s.lock = w.lockBefore(before); s.lock == "" {
			return s, false
		}
		s.fields, s.scope = w.objects(after, nil)
	case word == "for" && w.isLock && w.isListOfFields(after):
		s.lock = w.self[0]
		s.fields, s.scope = w.objects(after, nil)
	case holding[word]:
		return w.held(words, i)
	}
	return s, s.lock != "" && (len(s.fields) > 0 || s.scope != onlyNamed)
}

// held is at for a sentence that says when the lock has to be held.
func (w wording) held(words []string, i int) (s sentence, ok bool) {
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(words, func(word string) bool { return set[strings.ToLower(word)] })
	}
	isDemand := slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains([]string{"must", "requires", "only", "needs"}, strings.ToLower(word))
	})
	if has(calling) || has(denying) || !has(accessing) && !isDemand {
		return s, false
	}
	if s.lock = w.lockIn(words[i+1:]); s.lock == "" {
		s.lock = w.lockBefore(words[:i])
	}
	if s.lock == "" {
		return s, false
	}
	s.fields, s.scope = w.objects(slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return ending[strings.ToLower(word)]
	}), nil)
	if len(s.fields) == 0 && s.scope == onlyNamed {
		s.fields, s.scope = w.standing(words)
	}
	return s, len(s.fields) > 0 || s.scope != onlyNamed
}

// standing returns what a sentence is about that names no field: what it stands at, or what comes
// after it if it is a heading.
func (w wording) standing(words []string) ([]string, scope) {
	if words[len(words)-1] == ":" || len(w.self) == 0 {
		return nil, following
	}
	if w.isLock {
		return nil, onlyNamed
	}
	return w.self, onlyNamed
}

// lockIn returns the first lock that is named, after words that say nothing.
func (w wording) lockIn(words []string) string {
	for _, word := range words {
		if lock := w.lockOf(word); lock != "" {
			return lock
		}
		if lower := strings.ToLower(word); !fillerWords[lower] && word != ":" {
			return ""
		}
	}
	return ""
}

// lockBefore returns the last lock that is named, or the one that the comment stands at.
func (w wording) lockBefore(words []string) string {
	for _, word := range slices.Backward(words) {
		if lock := w.lockOf(word); lock != "" {
			return lock
		}
	}
	if w.isLock {
		return w.self[0]
	}
	return ""
}

// objects returns the fields that words name, up to one that begins something else. Where they
// name none, further words may say which are meant.
func (w wording) objects(words, further []string) (fields []string, all scope) {
	has := func(set map[string]bool, words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return set[strings.ToLower(word)] })
	}
	end := slices.IndexFunc(words, func(word string) bool { return ending[strings.ToLower(word)] && !w.isField(word) })
	if end >= 0 {
		words = words[:end]
	}
	for i, word := range words {
		name := word[strings.LastIndex(word, ".")+1:]
		isPlain := (fillerWords[name] || allWords[name]) && !endsItem(words[i+1:])
		if w.isField(name) && !slices.Contains(fields, name) && !isPlain {
			fields = append(fields, name)
		}
	}
	isAll := has(allWords, words)
	switch {
	case len(fields) > 0:
	case has(belowWords, words) && isAll:
		all = allBelow
	case has(belowWords, words):
		all = following
	case has(aboveWords, words):
		all = preceding
	case has(wholeWords, words) && (isAll || has(wordSet("struct structure object type"), words)):
		all = whole
	case further != nil && has(belowWords, further):
		all = following
	}
	return fields, all
}

// endsItem tells whether what comes next shows that a word is an item of a list, as "a" may be.
func endsItem(next []string) bool {
	return len(next) == 0 || slices.Contains([]string{",", "and", "or", ":", "is", "are", "from"}, next[0])
}

// isListOfFields tells whether the words are nothing but fields.
func (w wording) isListOfFields(words []string) bool {
	for _, word := range words {
		lower := strings.ToLower(word)
		if !w.isField(word) && !fillerWords[lower] && !belowWords[lower] && word != "," {
			return false
		}
	}
	return len(words) > 0
}

// sentencesOf splits a comment into sentences of words. Names with dots are one word; of other
// punctuation, what can matter is a word by itself.
func sentencesOf(text string) [][]string {
	var all [][]string
	var words []string
	var word strings.Builder
	flush := func() {
		name := strings.TrimSuffix(strings.Trim(word.String(), ".'’"), "'s")
		word.Reset()
		switch joined := strings.ToLower(strings.ReplaceAll(name, "_", "")); {
		case strings.HasSuffix(joined, "guardedby"): // as in other languages
			words = append(words, "guarded", "by")
		case name != "":
			words = append(words, name)
		}
	}
	end := func() {
		flush()
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	runes := []rune(text)
	for i, r := range runes {
		next := ' '
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '_',
			(r == '.' || r == '\'' || r == '’') && unicode.IsLetter(next):
			word.WriteRune(r)
		case r == '.' || r == ';' || r == '\n' && next == '\n':
			end()
		case r == ',' || r == ':':
			flush()
			words = append(words, string(r))
		case (r == '-' || r == '*') && next == ' ': // an item of a list
			flush()
			words = append(words, ",")
		default:
			flush()
		}
	}
	end()
	return all
}
