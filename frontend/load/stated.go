package load

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// What the user states of types of his own is put into their source before it is checked: a
// lock has a sync.Mutex in it, and its methods operate on that; a group has a
// sync.WaitGroup. So all stages see what they know, in the object where it belongs. The
// bodies that were there are not looked into; they stay under another name, so that what
// they import is still used. All is put on lines that are there, so that positions stay.

const (
	statedPrefix = "empireStated" // of the names of what is put in
	statedField  = statedPrefix + "State"
)

// WithoutStated returns the path of a lock as the user knows it: a lock whose type is stated
// has none inside.
func WithoutStated(path string) string { return strings.TrimSuffix(path, "."+statedField) }

// statedMethod is a method whose body the settings replace.
type statedMethod struct {
	key, name string // as the setting has it
	argument  int    // that it runs, from 0; -1: the only one that is a function
	body      func(*statedDecl) (string, error)
}

// stated is a type that the settings tell something of.
type stated struct {
	setting, typ string // "joins", "example.com/p.Group"
	path, name   string
	state        string // the type in package sync
	methods      []statedMethod
}

// statements returns what the settings say of types.
func statements(joins []Join, locks []LockType) ([]stated, error) {
	var all []stated
	for i, j := range joins {
		if slices.Contains(joins[:i], j) {
			continue
		}
		name, argument, err := cutArgument(j.Go)
		if err != nil {
			return nil, &SettingsError{fmt.Sprintf("joins: %s: %s", j.Type, err)}
		}
		all = append(all, stated{setting: "joins", typ: j.Type, state: "WaitGroup", methods: []statedMethod{
			{key: "go", name: name, argument: argument, body: goBody}, {key: "wait", name: j.Wait, body: waitBody},
		}})
	}
	for i, k := range locks {
		if slices.Contains(locks[:i], k) {
			continue
		}
		s := stated{setting: "locks", typ: k.Type, state: "Mutex"}
		for _, m := range []statedMethod{
			{key: "lock", name: k.Lock, body: takes("Lock")},
			{key: "unlock", name: k.Unlock, body: releases("Unlock")},
			{key: "rlock", name: k.RLock, body: takes("RLock")},
			{key: "runlock", name: k.RUnlock, body: releases("RUnlock")},
			{key: "trylock", name: k.TryLock, body: tries("TryLock")},
			{key: "tryrlock", name: k.TryRLock, body: tries("TryRLock")},
		} {
			if m.name != "" {
				s.methods = append(s.methods, m)
			}
		}
		if k.RLock != "" || k.TryRLock != "" || k.RUnlock != "" {
			s.state = "RWMutex"
		}
		all = append(all, s)
	}
	for i := range all {
		dot := strings.LastIndex(all[i].typ, ".")
		if dot < 1 || dot < strings.LastIndex(all[i].typ, "/") {
			const why = "%s: %q is no type; write it as example.com/p.Type"
			return nil, &SettingsError{fmt.Sprintf(why, all[i].setting, all[i].typ)}
		}
		all[i].path, all[i].name = all[i].typ[:dot], all[i].typ[dot+1:]
		if err := all[i].checkTwice(all[:i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// checkTwice rejects a type that is stated before, and a method that is named for two things.
func (s *stated) checkTwice(before []stated) error {
	if slices.ContainsFunc(before, func(other stated) bool { return other.typ == s.typ }) {
		return s.errorf("is stated twice; leave one out")
	}
	for i, m := range s.methods {
		if slices.ContainsFunc(s.methods[:i], func(other statedMethod) bool { return other.name == m.name }) {
			return s.errorf("method %s is named twice; a method does one thing", m.name)
		}
	}
	return nil
}

// cutArgument returns the method and the index of the argument in "Go#1".
func cutArgument(text string) (name string, argument int, err error) {
	name, number, given := strings.Cut(text, "#")
	if !given {
		return name, -1, nil
	}
	argument, err = strconv.Atoi(number)
	if err != nil || argument < 1 {
		return "", 0, fmt.Errorf("%q names no argument; they are counted from 1, without the receiver: %s#1", text, name)
	}
	return name, argument - 1, nil
}

// errorf is a SettingsError about the type.
func (s *stated) errorf(format string, args ...any) error {
	return &SettingsError{s.setting + ": " + s.typ + ": " + fmt.Sprintf(format, args...)}
}

// Stated returns what the settings say of types that the packages named, or what they
// import, declare: it is taken for granted.
func (p *Program) Stated() []string {
	imported := map[string]bool{}
	for _, pkg := range p.Imported() {
		imported[pkg.Pkg.Path()] = true
	}
	var all []string
	for _, s := range p.stated {
		what := "a lock"
		if s.setting == "joins" {
			what = "a group of goroutines that is waited for"
		}
		if imported[s.path] {
			all = append(all, fmt.Sprintf("%s is %s, whatever its methods do", s.typ, what))
		}
	}
	return all
}

// besides returns the packages of functions that make values which the patterns do not name.
func besides(c Config, config *packages.Config, of map[string]string) ([]string, error) {
	var further []string
	for _, table := range []map[string]string{c.Make, of} {
		for _, t := range slices.Sorted(maps.Keys(table)) {
			dot := strings.LastIndex(table[t], ".")
			if dot > strings.LastIndex(table[t], "/") && !slices.Contains(further, table[t][:dot]) {
				further = append(further, table[t][:dot])
			}
		}
	}
	if len(further) == 0 {
		return nil, nil
	}
	quick := *config
	quick.Mode, quick.Tests, quick.Overlay = packages.NeedName, false, nil
	named, err := packages.Load(&quick, c.Patterns...)
	if err != nil {
		return nil, goError(err.Error())
	}
	found, err := packages.Load(&quick, further...)
	if err != nil {
		return nil, goError(err.Error())
	}
	return slices.DeleteFunc(further, func(path string) bool {
		is := func(pkg *packages.Package) bool { return pkg.PkgPath == path && len(pkg.Errors) == 0 }
		return slices.ContainsFunc(named, is) || !slices.ContainsFunc(found, is)
	}), nil
}

// settingsDir returns the directory in which the settings of a directory are: that of the
// module, if it is in one.
func settingsDir(dir string) string {
	at, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for at != filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		at = filepath.Dir(at)
	}
	return dir
}
