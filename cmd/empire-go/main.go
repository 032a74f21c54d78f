// Command empire-go checks Go programs for interleavings that break invariants
// over several fields. See "empire-go help".
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }
