package knowledge

import (
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// doubles are the words for what stands in for something else in tests.
var doubles = []string{"mock", "mocks", "fake", "fakes", "stub", "stubs", "dummy"}

// forTests are names of packages with such.
var forTests = []string{"test", "tests", "testing", "testutil", "testutils", "testhelper", "testhelpers"}

// IsTestDouble tells whether a type stands in for another one in tests, as its name or that of its package says: which
// goroutines use it at the same time the tests arrange.
func IsTestDouble(t *types.TypeName) bool {
	words := wordsOf(t.Name())
	if slices.Contains(doubles, words[0]) || slices.Contains(doubles, words[len(words)-1]) {
		return true
	}
	const own = 3 // the first elements name where the module is
	elements := strings.Split(t.Pkg().Path(), "/")
	return slices.ContainsFunc(elements[min(own, len(elements)):], func(element string) bool {
		return slices.Contains(doubles, element) || slices.Contains(forTests, element)
	})
}

// wordsOf returns the words of a name, in small letters; there is one at least.
func wordsOf(name string) (words []string) {
	begin := 0
	for i, r := range name {
		if i > begin && unicode.IsUpper(r) && !unicode.IsUpper(rune(name[i-1])) {
			words = append(words, strings.ToLower(name[begin:i]))
			begin = i
		}
	}
	return append(words, strings.ToLower(name[begin:]))
}
