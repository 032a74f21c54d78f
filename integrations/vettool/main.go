// Command vettool is for go vet -vettool: it tells, for each package, what clients of it can break. See package
// analyzer.
//
//	go vet -vettool=$(which vettool) ./...
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/empire-go/empire-go/integrations/analyzer"
)

func main() { unitchecker.Main(analyzer.Analyzer) }
