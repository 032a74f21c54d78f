package report

import "testing"

// TestArtifact: files are named by URIs, relative to a directory that the reader knows.
func TestArtifact(t *testing.T) {
	for file, want := range map[string]sarifArtifact{
		"a/b.go":                    {URI: "a/b.go", URIBaseID: "%SRCROOT%"},
		"my dir/50%/c#1.go":         {URI: "my%20dir/50%25/c%231.go", URIBaseID: "%SRCROOT%"},
		"a:b.go":                    {URI: "./a:b.go", URIBaseID: "%SRCROOT%"},
		"/tmp/a b.go":               {URI: "file:///tmp/a%20b.go"},
		"$GOROOT/src/sync/once.go":  {URI: "src/sync/once.go", URIBaseID: "GOROOT"},
		"$GOMODCACHE/x.y/z@v1/z.go": {URI: "x.y/z@v1/z.go", URIBaseID: "GOMODCACHE"},
	} {
		if got := artifact(file); got != want {
			t.Errorf("%s: %+v, want %+v", file, got, want)
		}
	}
}
