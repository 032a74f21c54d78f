package snapshot

import _ "embed"

// Sources are the files of the package as they are compiled into a program, by name.
func Sources() map[string]string {
	return map[string]string{"snapshot.go": snapshotSource, "known.go": knownSource}
}

//go:embed snapshot.go
var snapshotSource string

//go:embed known.go
var knownSource string
