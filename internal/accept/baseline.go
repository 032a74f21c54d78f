package accept

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	empire "github.com/empire-go/empire-go"
)

// BaselineFile is the name of the file in the root of the module that lists known violations.
const BaselineFile = "empire-baseline.yaml"

// Baseline is what that file says.
type Baseline struct {
	// what was checked when it was written: only a check of the same can tell what is not there any more
	Packages []string `yaml:"packages,flow"`
	Tests    bool     `yaml:"tests,omitempty"`
	Tags     string   `yaml:"tags,omitempty"`
	Known    []Known  `yaml:"known"`
}

// Known is a violation, or the violations with one cause.
type Known struct {
	ID      string `yaml:"id"`
	Class   string `yaml:"class,omitempty"` // of check --class; else it is about an atomic set
	What    string `yaml:"what,omitempty"`  // in words
	Reason  string `yaml:"reason"`
	Who     string `yaml:"who,omitempty"`
	Expires string `yaml:"expires,omitempty"` // the last day on which it is accepted
}

const day = "2006-01-02"

// CheckDay tells what is wrong with a day; "" is none.
func CheckDay(text string) error {
	if _, err := time.Parse(day, text); err != nil && text != "" {
		return fmt.Errorf("%q is no day; write it as 2026-12-31", text)
	}
	return nil
}

// hasExpired tells whether the day is over.
func (k Known) hasExpired(now time.Time) bool { return k.Expires != "" && now.Format(day) > k.Expires }

// ReadBaseline reads the file. An error names the line, or the id.
func ReadBaseline(file io.Reader) (*Baseline, error) {
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	b := &Baseline{}
	if err := decoder.Decode(b); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(inWords(err))
	}
	for _, k := range b.Known {
		if k.ID == "" {
			return nil, fmt.Errorf("an entry has no id; write the one that check prints")
		}
		if strings.TrimSpace(k.Reason) == "" {
			return nil, fmt.Errorf("%s has no reason; write reason: and why it is accepted", k.ID)
		}
		if err := CheckDay(k.Expires); err != nil {
			return nil, fmt.Errorf("%s: %w", k.ID, err)
		}
	}
	return b, nil
}

// goType matches what a message of the library says of Go.
var goType = regexp.MustCompile(` (in|into) (type )?accept\.\w+`)

// inWords is what the library says is wrong with a file, in one line and without Go.
func inWords(err error) string {
	var lines []string
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "yaml: ")
		if line != "unmarshal errors:" {
			lines = append(lines, goType.ReplaceAllString(line, ""))
		}
	}
	return strings.Join(lines, "; ")
}

// head is the beginning of the file.
const head = "# Violations that are known, and count no more. empire-go baseline writes this file; reason, who and\n" +
	"# expires (the last day on which it is accepted, as 2026-12-31) are for you to edit.\n"

// Write writes the file.
func (b *Baseline) Write(w io.Writer) error {
	var text bytes.Buffer
	text.WriteString(head)
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(b); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

// Covers tells whether a check can tell what of the baseline is not there any more: it is of the
// same packages, and of all that is worth checking in them.
func (b *Baseline) Covers(r empire.Request) bool {
	return slices.Equal(b.Packages, r.Packages) && b.Tests == r.Tests && b.Tags == r.Tags
}

// Accept accepts what the baseline has, in the file of that name. It returns the entries that have
// expired, which accept nothing, and those of which there is nothing any more.
func (b *Baseline) Accept(r *empire.Result, name string, now time.Time) (expired, stale []Known) {
	all := violationsOf(r)
	for _, k := range b.Known {
		found := false
		for _, v := range all {
			if !v.is(k.ID) {
				continue
			}
			found = true
			if *v.accepted == nil && !k.hasExpired(now) {
				*v.accepted = &empire.Acceptance{By: empire.AcceptedByBaseline, Where: name, Reason: k.Reason, Who: k.Who,
					Expires: k.Expires}
			}
		}
		switch {
		case !found:
			stale = append(stale, k)
		case k.hasExpired(now):
			expired = append(expired, k)
		}
	}
	return expired, stale
}

// InModule accepts what comments and the baseline in the root of the module accept. Where that cannot be read, it
// accepts what comments do, and returns what is wrong.
func InModule(r *empire.Result, now time.Time) error {
	Comments(r)
	file, err := os.Open(filepath.Join(r.ModuleRootDir, BaselineFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	b, err := ReadBaseline(file)
	if err != nil {
		return fmt.Errorf("%s: %w", BaselineFile, err)
	}
	b.Accept(r, BaselineFile, now)
	return nil
}

// Update returns the baseline with all violations of a result that no comment accepts: what it has
// already keeps what is said of it, what is new is said to be as the template has it. What is not
// there any more is left out if the result covers its class. It returns how many are new, and how many are left out.
func (b *Baseline) Update(r *empire.Result, covers func(class string) bool, template Known) (
	updated *Baseline, added, dropped int) {
	updated = &Baseline{Packages: b.Packages, Tests: b.Tests, Tags: b.Tags}
	all := violationsOf(r)
	kept := map[string]bool{}
	for _, k := range b.Known {
		if covers(k.Class) && !slices.ContainsFunc(all, func(v violation) bool { return v.is(k.ID) }) {
			dropped++
			continue
		}
		updated.Known = append(updated.Known, k)
		kept[k.ID] = true
	}
	for _, v := range all {
		byComment := *v.accepted != nil && (*v.accepted).By == empire.AcceptedByComment
		if v.id == "" || kept[v.id] || kept[v.cause] || byComment {
			continue
		}
		k := template
		k.ID, k.Class, k.What = v.id, v.class, v.what
		updated.Known = append(updated.Known, k)
		kept[v.id] = true
		added++
	}
	return updated, added, dropped
}
