// Package notes rewrites finished models: what a read is marked with says whether it counts
// (output, what only passes, counters), and models with and without such reads tell a note from
// an error. It also finds which locks of a model are held before each statement, by a
// context-insensitive functional analysis (Sharir and Pnueli 1981).
package notes
