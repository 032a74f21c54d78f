package steer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	empire "github.com/empire-go/empire-go"
)

// EmitTests writes tests for violations of a result, and returns the files, and the violations that stand for causes
// without a test. The causes have to be in the result (report.SetCauses).
//
// Where two calls are known that do harm, the test makes them, and needs nothing but the Go tool chain; see
// plain.go. One such test is written for each cause.
//
// Of a confirmed violation without such a test, what can one do? An invariant over the fields cannot be
// derived in general, and a schedule fits one version of the code. So the test asks the tool again: does
// the same violation, known by its identity, which does not depend on lines, still exist in the model? It
// fails as long as it does, also after unrelated changes, and passes when no interleaving is left. It needs
// empire-go as a tool dependency of the module, and is skipped without. It stands in the directory of the
// first event of the counterexample.
func EmitTests(ctx context.Context, r *empire.Result, c Config) (files, without []string, err error) {
	root, err := moduleRoot(c.Dir)
	if err != nil {
		return nil, nil, err
	}
	tested, confirmed := map[string]bool{}, map[string]bool{} // causes
	for _, v := range Violations(r) {
		if v.Scenario.Accepted != nil || tested[v.Scenario.Cause] && v.Scenario.Cause != "" {
			continue
		}
		plain, err := emitPlain(ctx, r, v, root)
		if err != nil {
			return files, nil, err
		}
		if len(plain) > 0 {
			tested[v.Scenario.Cause] = true
			files = append(files, plain...)
			continue
		}
		if v.Scenario.Confirmation == nil || v.Scenario.Confirmation.Status != Confirmed {
			continue
		}
		name, text, err := emittedTest(r, v, root)
		if err != nil {
			return files, nil, err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return files, nil, err
		}
		files = append(files, name)
		confirmed[v.Scenario.Cause] = true
	}
	for _, cause := range r.Causes {
		if !tested[cause.ID] && !confirmed[cause.ID] && cause.Level != "note" && cause.Harm != empire.HarmNone {
			without = append(without, cause.Shown)
		}
	}
	return files, without, nil
}

// emitPlain writes the test of a violation that needs nothing but the Go tool chain, if there is one: of its own
// harm, or of that which clients of its package do.
func emitPlain(ctx context.Context, r *empire.Result, v Violation, root string) ([]string, error) {
	if v.Query.Type == "" || isHarmless(v) {
		return nil, ctx.Err()
	}
	if v.Scenario.Harm == nil || len(v.Scenario.Harm.Calls) == 0 {
		var ok bool
		if v, ok = byClients(ctx, r, v, root); !ok {
			return nil, ctx.Err()
		}
	}
	files, err := plainTest(ctx, r, v, root)
	if errors.Is(err, errNoPlain) {
		err = nil
	}
	return files, cmp.Or(err, ctx.Err())
}

// isHarmless tells whether there is nothing to test.
func isHarmless(v Violation) bool {
	return v.Scenario.Level == "note" || v.Scenario.Harm != nil && v.Scenario.Harm.Status == empire.HarmNone
}

// byClients asks what clients of the package do to the same fields by the same units. The test has the id of the
// violation that was asked for.
func byClients(ctx context.Context, r *empire.Result, v Violation, root string) (Violation, bool) {
	path := packageOfCalls(Violation{Query: &empire.QueryResult{Type: v.Query.Type}})
	found, err := empire.Run(ctx, empire.Request{Dir: root, Packages: []string{path}, Tags: r.Invocation.Tags,
		Type: v.Query.Type, Fields: v.Query.Fields, Harm: true})
	if err != nil {
		return v, false
	}
	sorted := func(units []string) string {
		units = slices.Clone(units)
		slices.Sort(units)
		return strings.Join(units, " ")
	}
	for i := range found.Queries {
		q := &found.Queries[i]
		for _, s := range q.Violations() {
			if s.Harm != nil && len(s.Harm.Calls) > 0 && sorted(s.Units) == sorted(v.Scenario.Units) {
				s.ID = v.Scenario.ID
				return Violation{q, s}, true
			}
		}
	}
	return v, false
}

// emittedTest returns the name and the text of a test.
func emittedTest(r *empire.Result, v Violation, root string) (name, text string, err error) {
	file := ""
	for _, s := range v.Scenario.Counterexample {
		if s.Event == 1 {
			file = line(line(s.Pos))
		}
	}
	file = filepath.Join(root, filepath.FromSlash(file))
	syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
	if err != nil {
		return "", "", err
	}
	where, err := filepath.Rel(filepath.Dir(file), root)
	if err != nil {
		return "", "", err
	}
	data := struct {
		Package, ID, Scenario, Units, Root string
		Args                               []string
	}{
		strings.TrimSuffix(syntax.Name.Name, "_test") + "_test", v.Scenario.ID,
		fmt.Sprintf("%s (scenario %d)", v.Scenario.Name, v.Scenario.Scenario),
		strings.Join(v.Scenario.Units, " and "), filepath.ToSlash(where), checkArgs(r, v),
	}
	var b strings.Builder
	if err := emitted.Execute(&b, data); err != nil {
		return "", "", err
	}
	return filepath.Join(filepath.Dir(file), "empire_"+v.Scenario.ID+"_test.go"), b.String(), nil
}

// checkArgs returns the arguments of empire-go that ask for the violation again.
func checkArgs(r *empire.Result, v Violation) []string {
	args := []string{"check", "--format", "json", "--scenario", fmt.Sprint(v.Scenario.Scenario)}
	if v.Query.Type != "" {
		args = append(args, "--type", v.Query.Type, "--fields", strings.Join(v.Query.Fields, ","))
	} else {
		args = append(args, "--vars", strings.Join(v.Query.Fields, ","))
	}
	p := r.Invocation.Policies
	for _, flag := range [][2]string{{"--units", p.Units}, {"--unitfor", p.UnitFor}, {"--locks", p.Locks},
		{"--tags", r.Invocation.Tags}} {
		if flag[1] != "" && flag[1] != "auto" && flag[1] != "sound" {
			args = append(args, flag[0], flag[1])
		}
	}
	if p.Strict {
		args = append(args, "--strict")
	}
	if strings.HasSuffix(v.Query.Entry, testSuffix) {
		args = append(args, "--tests")
	}
	return append(args, r.Invocation.Packages...)
}

var emitted = template.Must(template.New("").Parse(`package {{.Package}}

import (
	"bytes"
	"io/fs"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestEmpire_{{.ID}} fails while two goroutines can interleave so that
// {{.Units}} break what belongs together:
// {{.Scenario}}. A run of the program was seen to do so.
// It needs the checker: go get -tool github.com/empire-go/empire-go/cmd/empire-go
func TestEmpire_{{.ID}}(t *testing.T) {
	if testing.Short() {
		t.Skip("checks the whole program")
	}
	// What is asked about is the whole module: go test may take the result from its cache only where each
	// directory that is read here is as it was.
	if err := filepath.WalkDir({{printf "%q" .Root}}, func(string, fs.DirEntry, error) error { return nil }); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (string, string, int) {
		var stdout, stderr bytes.Buffer
		cmd := exec.Command("go", append([]string{"tool", "empire-go"}, args...)...)
		cmd.Dir = {{printf "%q" .Root}}
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		if err != nil && cmd.ProcessState == nil {
			t.Skip("no go command: ", err)
		}
		return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
	}
	if _, stderr, status := run("version"); status != 0 {
		t.Skip("empire-go is no tool of this module; go get -tool github.com/empire-go/empire-go/cmd/empire-go: ", stderr)
	}
	stdout, stderr, status := run({{range $i, $a := .Args}}{{if $i}}, {{end}}{{printf "%q" $a}}{{end}})
	switch {
	case status == 1 && bytes.Contains([]byte(stdout), []byte({{printf "%q" (printf "\"id\": %q" .ID)}})):
		t.Error("the violation is still there; empire-go replay empire-schedules/{{.ID}}.json repeats it, " +
			"as long as the code is the same")
	case status == 2:
		t.Fatal("empire-go: ", stderr)
	case status == 3:
		t.Skip("empire-go could not decide; see empire-go check")
	}
}
`))

// testSuffix ends QueryResult.Entry where the tests of a package run.
const testSuffix = ".test"
