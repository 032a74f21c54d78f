package main

import "github.com/spf13/cobra"

// checkRecorded checks a trace that an instrumented program has recorded.
func checkRecorded(_ *cobra.Command, in *traceFile, _ traceCheckFlags) error {
	return inputError(in.name, "is a recorded trace, which this version cannot check; write trace export to get an STD file")
}
