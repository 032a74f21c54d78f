package suggest

import "testing"

func TestClosest(t *testing.T) {
	names := []string{"fields", "format", "fail-on", "type", "tests", "stale-update", "lost-write"}
	for word, want := range map[string]string{
		"feilds": "fields", "formt": "format", "failon": "fail-on", "test": "tests", "tpye": "type",
		"staleupdate": "stale-update", "lost_write": "lost-write", "stale-updates": "stale-update",
		"stale": "stale-update", "lost": "lost-write", "at": "", "tes": "tests", "write": "lost-write", "lat": "", "e": "",
		"nosuch": "", "q": "", "13": "", "": "", "xyzzy": "",
	} {
		if got := Closest(word, names); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
