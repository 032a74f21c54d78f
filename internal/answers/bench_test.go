package answers_test

import (
	"testing"

	"github.com/empire-go/empire-go/internal/answers"
)

// BenchmarkReadTree reads this module.
func BenchmarkReadTree(b *testing.B) {
	for b.Loop() {
		if _, err := answers.ReadTree("../..", []string{"./..."}); err != nil {
			b.Fatal(err)
		}
	}
}
