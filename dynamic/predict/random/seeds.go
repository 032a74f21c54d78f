package random

import (
	"iter"
	"os"
	"strconv"
)

// Seeds are the seeds of the random runs of a test: from the variable PREDICT_FROM on, else from 0, as many as
// PREDICT_TRACES says, else few. So a long test can be run in parts.
func Seeds(few int) iter.Seq[uint64] {
	from, count := variable("PREDICT_FROM", 0), variable("PREDICT_TRACES", few)
	return func(yield func(uint64) bool) {
		for i := range count {
			if !yield(uint64(from + i)) {
				return
			}
		}
	}
}

// variable is a number in the environment.
func variable(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return usual
}
