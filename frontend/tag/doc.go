// Package tag is what is known of a value on one path of the translation with respect to the
// isolated object: that it is a pointer to it, leads to contents of it, is something else, or is a
// boolean, error or number that is known (random isolation: Kidd, Reps, Dolby and Vaziri, VMCAI
// 2009). Choices says what a value may be by its points-to set, where the path says nothing.
package tag
