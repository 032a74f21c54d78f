// Package units says which code is a unit of work, on which object, and from where to where
// (scenarios.md, "Which code is a unit of work"): methods and constructors, functions that
// access the set themselves and the span of them that does, iterations of loops and of service
// loops. What guards itself opens units only where somebody uses it in several steps.
package units
