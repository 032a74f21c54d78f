package main

import (
	"context"
	"os/exec"
	"strings"
)

// withImports returns packages with those of the main modules that they import: what a run
// may access, and so what may be worth watching. If the go command does not say, it is the
// packages themselves; whoever loads them says why.
func withImports(ctx context.Context, tags string, packages []string) []string {
	const format = "{{if .Module}}{{if .Module.Main}}{{.ImportPath}}{{end}}{{end}}"
	out, err := exec.CommandContext(ctx, "go", append(
		[]string{"list", "-deps", "-tags=" + tags, "-f", format}, packages...)...).Output()
	all := strings.Fields(string(out))
	if err != nil || len(all) == 0 || strings.HasSuffix(packages[0], ".go") {
		return packages
	}
	return all
}
