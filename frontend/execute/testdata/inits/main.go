// Inits uses packages whose variables get their values when the program begins: in the order that the language
// says, although some of them do so only when they are touched.
package main

import (
	"fmt"

	"github.com/empire-go/empire-go/frontend/execute/testdata/inits/use"
)

func main() {
	fmt.Println(use.Words(), use.Plugins(), use.Index("b"), use.Sum())
}
