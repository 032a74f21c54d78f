package knowledge

import (
	"slices"
	"testing"
)

// TestNewTable reads entries of each form.
func TestNewTable(t *testing.T) {
	table, err := NewTable([]string{"example.com/p.Submit#1", "example.com/p.Pool.Submit#2",
		"(*example.com/p.Pool).Submit#1", "example.com/p.Handle#2.ServeHTTP"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]Callback{
		"example.com/p.Submit":          {{Argument: 0, Often: true}},
		"(*example.com/p.Pool).Submit":  {{Argument: 1, Often: true}, {Argument: 0, Often: true}},
		"(example.com/p.Pool).Submit":   {{Argument: 1, Often: true}, {Argument: 0, Often: true}},
		"example.com/p.Handle":          {{Argument: 1, Method: "ServeHTTP", Often: true}},
		"example.com/p.Other":           nil,
		"(*example.com/other.P).Submit": nil,
	} {
		if got := table.named(name); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, bad := range []string{"", "example.com/p.Submit", "Submit#1", "p.Submit#0", "p.Submit#x", "p.Submit#1."} {
		if _, err := NewTable([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
