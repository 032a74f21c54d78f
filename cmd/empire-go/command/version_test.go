package command

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuildText(t *testing.T) {
	setting := func(pairs ...string) (all []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return all
	}
	system := []string{"GOOS", "linux", "GOARCH", "amd64"}
	commit := append(system, "vcs.revision", "17a4d28", "vcs.time", "2026-11-23T20:00:00Z")
	for want, info := range map[string]*debug.BuildInfo{
		"built with go1.26.8\n": {GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}},
		"module example.com/p v0.2.0\nbuilt with go1.26.8 for linux/amd64\n": {GoVersion: "go1.26.8",
			Main: debug.Module{Path: "example.com/p", Version: "v0.2.0"}, Settings: setting(system...)},
		"commit 17a4d28 of 2026-11-23T20:00:00Z\nbuilt with go1.26.8 for linux/amd64\n": {GoVersion: "go1.26.8",
			Settings: setting(append(commit, "vcs.modified", "false")...)},
		"commit 17a4d28 of 2026-11-23T20:00:00Z, with changes\nbuilt with go1.26.8 for linux/amd64\n": {
			GoVersion: "go1.26.8", Settings: setting(append(commit, "vcs.modified", "true")...)},
	} {
		if got := buildText(info); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestVersion: the command and the flag print the same.
func TestVersion(t *testing.T) {
	var command, flag, stderr strings.Builder
	if s := Run([]string{"version"}, &command, &stderr); s != 0 {
		t.Fatalf("exit status %d: %s", s, &stderr)
	}
	if s := Run([]string{"--version"}, &flag, &stderr); s != 0 || flag.String() != command.String() {
		t.Errorf("exit status %d: %s%q, want %q", s, &stderr, flag.String(), command.String())
	}
	if !strings.Contains(command.String(), "built with go1.") {
		t.Errorf("%q says no version of Go", command.String())
	}
}
