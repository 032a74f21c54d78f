// Command empire-go checks Go programs for interleavings that break invariants
// over several fields. See "empire-go help".
package main

import (
	"os"

	"github.com/empire-go/empire-go/cmd/empire-go/command"
)

func main() { os.Exit(command.Run(os.Args[1:], os.Stdout, os.Stderr)) }
