// Package rules has rules for shelves.
package rules

import shelf "github.com/empire-go/empire-go/testdata/stated_make"

type average struct{}

// Average returns a rule that tells what a box weighs.
func Average() shelf.Rule { return average{} }

// Compute asks the shelf.
func (average) Compute(s *shelf.Shelf) int {
	boxes := s.Boxes()
	weight := s.Weight() // of other boxes: the bug
	if boxes == 0 {
		return 0
	}
	return weight / boxes
}
