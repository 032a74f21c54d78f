// Package testmain is how the tests of large packages begin.
package testmain

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"testing"
)

// percent is the GOGC of the tests. They keep what they have loaded until they end, and
// with Go's 100 a quarter of their CPU time went into marking it again.
const percent = 400

// Count scales a number of random cases by the environment variable EMPIRE_LONG.
func Count(n int) int {
	if f, err := strconv.Atoi(os.Getenv("EMPIRE_LONG")); err == nil && f > 0 {
		return n * f
	}
	return n
}

// Run runs the tests of a package in a folder, which is given from the package's own, and
// does not return. A GOGC of the user's holds; commands that the tests start have the same.
func Run(m *testing.M, dir string) {
	if err := os.Chdir(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if os.Getenv("GOGC") == "" {
		os.Setenv("GOGC", strconv.Itoa(percent))
		debug.SetGCPercent(percent)
	}
	os.Exit(m.Run())
}
