// Package ownership says who alone can reach an object, from where to where: what a goroutine
// has made or taken out of a channel or pool and put in nowhere since (handed over), what is an
// element of one container only, what was taken out of a field, what nobody writes once others
// can reach it (settled), what is filled in before others have waited for it (completed), and
// elements that each goroutine has for itself.
//
// Answers are must-facts about every run; where a use is not understood the object is shared.
package ownership
