package command

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

const atomicityClass = "atomicity"

// predictedClasses are the classes of errors that are predicted.
var predictedClasses = []string{atomicityClass, "deadlock", "data-race", "order", "missed-signal"}

// addPredictedClasses adds the flag that chooses among them.
func addPredictedClasses(f *pflag.FlagSet, classes *[]string) {
	f.StringSliceVar(classes, "class", []string{atomicityClass}, "the `classes` of errors to look for: atomicity, "+
		"deadlock, data-race, order, missed-signal, some of them, or all; of what has happened, atomicity and data-race")
}

// checkPredictedClasses checks the value of that flag.
func checkPredictedClasses(classes []string) error {
	for _, name := range classes {
		if name != "all" && !slices.Contains(predictedClasses, name) {
			return inputError("--class", "no class %q is predicted; write one or more of %s, or all", name,
				strings.Join(predictedClasses, ", "))
		}
	}
	return nil
}

// asks tells whether a class is asked for.
func (o *predictFlags) asks(class string) bool { return asksFor(o.classes, class) }

func asksFor(classes []string, class string) bool {
	return slices.Contains(classes, class) || slices.Contains(classes, "all")
}
