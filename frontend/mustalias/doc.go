// Package mustalias says which values are evidently one: the same number, the same address, the
// same variable "unchanged since".
//
// Within a function, addresses of elements and fields are numbered (Addresses); variables that
// are assigned once hold one value for ever (Function.OnceCells, BaseKey); two computations are
// compared by what they apply to what (Matcher), also where one is in a helper that is called.
// What others do to memory in between is not looked at here: a caller that needs it asks for
// locks or ownership besides. Answers are must-facts: in doubt two values are not one.
package mustalias
