package pipeline

// Name and Version of the tool, as in a Result.
const (
	Name    = "empire-go"
	Version = "v0.1.0"
)
