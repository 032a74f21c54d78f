package racing

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

//go:embed cell.go clock.go memory.go runtime.txt
var sources embed.FS

// Flags are the flags of go build, besides -overlay, that a program is built with.
var Flags = []string{"-gcflags=all=-race -d=checkptr=0", "-gcflags=empire/...="}

// EnvOutput is the environment variable with the name of the file that races are written to, which has to be there.
const EnvOutput = "EMPIRE_RACES"

// Overlay returns the files that stand for others of a tool chain, in a program that finds its data races. It fails if
// the tool chain is another one than the ones that it is made for.
func Overlay(goroot string) (map[string]string, error) {
	if !slices.Contains([]string{"linux", "darwin", "freebsd", "netbsd"}, runtime.GOOS) {
		return nil, fmt.Errorf("data races are not found on runs on %s; use go test -race", runtime.GOOS)
	}
	src := filepath.Join(goroot, "src")
	read := func(names ...string) (string, error) {
		text, err := os.ReadFile(filepath.Join(src, filepath.Join(names...)))
		if err != nil {
			return "", unknown(err)
		}
		return string(text), nil
	}
	files := map[string]string{}
	for _, name := range []string{"cell.go", "clock.go", "memory.go"} {
		text, err := sources.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files[filepath.Join(src, "runtime", "empire_race_"+name)] =
			strings.Replace(string(text), "package racing", "package runtime", 1)
	}
	glue, err := sources.ReadFile("runtime.txt")
	if err != nil {
		return nil, err
	}
	plain, err := read("runtime", "race0.go")
	if err != nil {
		return nil, err
	}
	for _, name := range function.FindAllString(plain, -1) {
		if !strings.Contains(string(glue), name) {
			return nil, unknown(fmt.Errorf("%s) is new", name))
		}
	}
	files[filepath.Join(src, "runtime", "race0.go")] = string(glue) + atomics() +
		fmt.Sprintf("\nconst raceAppend = %#x\n", syscall.O_APPEND|syscall.O_CLOEXEC)
	files[filepath.Join(src, "sync", "atomic", "asm.s")] = "// The functions are in package runtime.\n"
	race, err := read("internal", "race", "race.go")
	if err != nil {
		return nil, err
	}
	files[filepath.Join(src, "internal", "race", "norace.go")] = strings.Replace(race, "//go:build race\n", "", 1)
	pointers, err := read("runtime", "atomic_pointer.go")
	if err != nil {
		return nil, err
	}
	files[filepath.Join(src, "runtime", "atomic_pointer.go")], err = withoutUintptr(pointers)
	return files, err
}

// function is the beginning of the declaration of a function.
var function = regexp.MustCompile(`(?m)^func \w+\(`)

func unknown(err error) error {
	return fmt.Errorf("data races are not found on runs with this version of Go (%w); use go test -race", err)
}

// withoutUintptr drops from the runtime's functions on pointers the declarations of those that runtime.txt defines.
func withoutUintptr(text string) (string, error) {
	for _, d := range []string{
		"StoreUintptr(ptr *uintptr, new uintptr)",
		"SwapUintptr(ptr *uintptr, new uintptr) uintptr",
		"CompareAndSwapUintptr(ptr *uintptr, old, new uintptr) bool",
	} {
		name, _, _ := strings.Cut(d, "(")
		declaration := "//go:linkname sync_atomic_" + name + " sync/atomic." + name + "\nfunc sync_atomic_" + d + "\n"
		before, after, ok := strings.Cut(text, declaration)
		if !ok {
			return "", unknown(fmt.Errorf("%s is not where it was", name))
		}
		text = before + after
	}
	return text, nil
}

// atomics are the functions of package sync/atomic on numbers.
func atomics() string {
	var b strings.Builder
	b.WriteString("\n// The functions of package sync/atomic.\n")
	for _, t := range []struct {
		name string
		bits int
	}{{"Int32", 32}, {"Uint32", 32}, {"Int64", 64}, {"Uint64", 64}, {"Uintptr", 64}} {
		typ := strings.ToLower(t.name)
		for _, op := range []struct{ name, short, params, args, result string }{
			{"Load", "Load", "", "", typ},
			{"Store", "Store", ", v " + typ, "v", ""},
			{"Swap", "Swap", ", v " + typ, "v", typ},
			{"CompareAndSwap", "Cas", ", old, new " + typ, "old,new", "bool"},
			{"Add", "Add", ", v " + typ, "v", typ},
			{"And", "And", ", v " + typ, "v", typ},
			{"Or", "Or", ", v " + typ, "v", typ},
		} {
			if typ == "uintptr" && (op.short == "Store" || op.short == "Swap" || op.short == "Cas") {
				continue // they are there
			}
			call := fmt.Sprintf("race%s%d((*uint%d)(unsafe.Pointer(p))", op.short, t.bits, t.bits)
			for a := range strings.SplitSeq(op.args, ",") {
				if a != "" {
					call += fmt.Sprintf(", uint%d(%s)", t.bits, a)
				}
			}
			call += ", sys.GetCallerPC())"
			switch op.result {
			case "":
			case "bool":
				call = "return " + call
			default:
				call = "return " + typ + "(" + call + ")"
			}
			fmt.Fprintf(&b, "\n//go:linkname race_%s%s sync/atomic.%s%s\nfunc race_%s%s(p *%s%s) %s { %s }\n",
				op.name, t.name, op.name, t.name, op.name, t.name, typ, op.params, op.result, call)
		}
	}
	return b.String()
}
