package pipeline

import (
	"cmp"
	"slices"

	"github.com/empire-go/empire-go/frontend/harness"
)

// halvesOf divides clients of libraries in two, those of one package together; nil if that cannot be done.
func halvesOf(part []harness.Entry) [][]harness.Entry {
	sorted := slices.Clone(part)
	slices.SortStableFunc(sorted, func(a, b harness.Entry) int {
		return cmp.Compare(packageOfClients(a), packageOfClients(b))
	})
	fromMiddle := func(i int) int { return max(2*i-len(sorted), len(sorted)-2*i) }
	at := 0 // where the second half begins
	for i := 1; i < len(sorted); i++ {
		if packageOfClients(sorted[i]) != packageOfClients(sorted[i-1]) && fromMiddle(i) < fromMiddle(at) {
			at = i
		}
	}
	if at == 0 {
		return nil
	}
	return [][]harness.Entry{sorted[:at:at], sorted[at:]}
}

// packageOfClients returns the path of the package that clients use.
func packageOfClients(e harness.Entry) string {
	if e.Type != nil {
		return e.Type.Obj().Pkg().Path()
	}
	return e.Of
}
