package pipeline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/empire-go/empire-go/frontend/harness"
)

// TestHalves divides clients of packages that are named by one letter each.
func TestHalves(t *testing.T) {
	for _, test := range []struct {
		clients string
		want    []string
	}{
		{"ab", []string{"a", "b"}},
		{"aab", []string{"aa", "b"}},
		{"abb", []string{"a", "bb"}},
		{"baabc", []string{"aa", "bbc"}},
		{"abcaaa", []string{"aaaa", "bc"}},
		{"aaa", nil},
		{"a", nil},
		{"", nil},
	} {
		var part []harness.Entry
		for path := range strings.SplitSeq(test.clients, "") {
			part = append(part, harness.Entry{Of: path})
		}
		var got []string
		for _, half := range halvesOf(part) {
			text := ""
			for _, e := range half {
				text += e.Of
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.clients, diff)
		}
	}
}
