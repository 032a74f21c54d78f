package random

// Shape returns the text of a program that is made around one idiom, with a mistake or
// without; its checked type is T.
func Shape(seed int64) string { return Program(seed) }
