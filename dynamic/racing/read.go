package racing

import (
	"bufio"
	"io"
	"strings"
)

// Race is two accesses that nothing orders, in the order of the run.
type Race struct {
	First, Second Access
	Calls         []Place // that have led to the second one, the innermost first
}

// Access is what a goroutine has done.
type Access struct {
	Kind string // "read", "write", "atomic read", "atomic write"
	Place
	Goroutine string // a number, by the order in which goroutines have begun
	Started   string // file:line of its go statement; "": of none
}

// Place is a place in a program.
type Place struct{ Pos, Function string }

// Read reads what a program has written, each race once. A line that was cut off is left out.
func Read(r io.Reader) (all []Race, err error) {
	seen := map[[2]Access]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<16)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) < 10 {
			continue
		}
		race := Race{First: access(f), Second: access(f[5:])}
		if isOwn(race.First.Function) || isOwn(race.Second.Function) {
			continue
		}
		key := [2]Access{{Kind: race.First.Kind, Place: race.First.Place}, {Kind: race.Second.Kind, Place: race.Second.Place}}
		if seen[key] {
			continue
		}
		seen[key] = true
		for rest := f[10:]; len(rest) > 1; rest = rest[2:] {
			if p := (Place{rest[0], rest[1]}); !isRuntime(p.Function) {
				race.Calls = append(race.Calls, p)
			}
		}
		all = append(all, race)
	}
	return all, lines.Err()
}

func access(f []string) Access { return Access{f[0], Place{f[1], f[2]}, f[3], f[4]} }

// isRuntime tells whether a function is one by which an access is seen, or of the runtime.
func isRuntime(function string) bool {
	return strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "internal/race.") ||
		strings.HasPrefix(function, "internal/runtime/")
}
