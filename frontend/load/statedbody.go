package load

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// The bodies of the methods of stated types, in terms of what is put into the receiver. What
// they return besides is anything: a variable that nobody writes is not known to the
// analysis.

// takes is the body of a method that takes the lock, or fails with an error.
func takes(operation string) func(*statedDecl) (string, error) {
	return func(d *statedDecl) (string, error) {
		if err := d.checkLock("nothing, or an error if it is not taken", "error"); err != nil {
			return "", err
		}
		return d.orElse("", fmt.Sprintf("%s.%s()", d.state, operation)), nil
	}
}

// releases is the body of a method that releases the lock.
func releases(operation string) func(*statedDecl) (string, error) {
	return func(d *statedDecl) (string, error) {
		if err := d.checkLock("nothing, or an error", "error"); err != nil {
			return "", err
		}
		return d.orElse(fmt.Sprintf("%s.%s(); ", d.state, operation), ""), nil
	}
}

// tries is the body of a method that says whether it has taken the lock.
func tries(operation string) func(*statedDecl) (string, error) {
	return func(d *statedDecl) (string, error) {
		if err := d.checkLock("a bool, or an error if it is not taken", "bool", "error"); err != nil {
			return "", err
		}
		try := fmt.Sprintf("%s.%s()", d.state, operation)
		switch d.result() {
		case "bool":
			return fmt.Sprintf("if %s { return true }; return false", try), nil
		case "error":
			return fmt.Sprintf("if %s { return nil }; return %s(0)", try, d.own("Failed")), nil
		}
		return "", d.errorf("%s returns nothing; write a method that tells whether the lock is taken, or name it as %s",
			d.method.name, strings.TrimPrefix(d.method.key, "try"))
	}
}

// goBody is the body of a method that runs an argument on a goroutine of the group.
func goBody(d *statedDecl) (string, error) {
	i := d.method.argument
	isFunc := func(t ast.Expr) bool { _, ok := ast.Unparen(t).(*ast.FuncType); return ok }
	if i < 0 {
		if i = 0; len(d.params) != 1 {
			i = slices.IndexFunc(d.params, isFunc)
		}
		if i < 0 || slices.ContainsFunc(d.params[i+1:], isFunc) {
			return "", d.errorf("which argument does %s run? Write %s#1 for the first", d.method.name, d.method.name)
		}
	}
	if i >= len(d.params) {
		return "", d.errorf("%s has no argument %d; they are counted from 1, without the receiver", d.method.name, i+1)
	}
	call := fmt.Sprintf("p%d()", i)
	if fn, ok := ast.Unparen(d.params[i]).(*ast.FuncType); ok {
		arguments := typesOf(fn.Params)
		switch {
		case len(arguments) == 0:
		case len(arguments) == 1 && types.ExprString(arguments[0]) == "context.Context":
			call = fmt.Sprintf("c, stop := context.WithCancel(context.Background()); go stop(); p%d(c)", i)
		default:
			const why = "what %s runs has parameters; a group that can be stated runs a function without, or with a context"
			return "", d.errorf(why, d.method.name)
		}
	} else if _, variadic := d.params[i].(*ast.Ellipsis); variadic {
		return "", d.errorf("%s runs any number of arguments; a group that can be stated runs one", d.method.name)
	}
	if !slices.Contains([]string{"", "bool", "error"}, d.result()) {
		const why = "%s returns %s; a group that can be stated returns nothing, a bool or an error"
		return "", d.errorf(why, d.method.name, d.result())
	}
	run := fmt.Sprintf("%s.Add(1); go func() { defer %s.Done(); %s }()", d.state, d.state, call)
	return d.orElse("", run), nil
}

// waitBody is the body of a method that returns when all goroutines of the group have ended:
// one with a context may fail before.
func waitBody(d *statedDecl) (string, error) {
	if r := d.result(); r != "" && r != "error" {
		return "", d.errorf("%s returns %s; a group that can be stated returns nothing or an error", d.method.name, r)
	}
	if wait := d.state + ".Wait()"; len(d.params) > 0 {
		return d.orElse("", wait), nil
	} else {
		return d.orElse(wait+"; ", ""), nil
	}
}

// orElse is statements, and others that are not done if the method returns that it has
// failed.
func (d *statedDecl) orElse(before, otherwise string) string {
	switch d.result() {
	case "error":
		return fmt.Sprintf("%sif %s { return %s(0) }; %s; return nil", before, d.own("Pick"), d.own("Failed"), otherwise)
	case "bool":
		return fmt.Sprintf("%sif %s { return false }; %s; return true", before, d.own("Pick"), otherwise)
	}
	return before + otherwise
}

// result returns the type of the result, "" if there is none; of several it returns a list.
func (d *statedDecl) result() string {
	var all []string
	for _, t := range d.results {
		all = append(all, types.ExprString(t))
	}
	return strings.Join(all, ", ")
}

// checkLock checks parameters and results of an operation on a lock.
func (d *statedDecl) checkLock(want string, results ...string) error {
	for _, p := range d.params {
		if t := types.ExprString(p); t != "context.Context" && t != "time.Duration" {
			const why = "%s takes arguments: a value is no lock if there is one for each of them; write methods without"
			return d.errorf(why, d.method.name)
		}
	}
	if r := d.result(); r != "" && !slices.Contains(results, r) {
		return d.errorf("%s returns %s; the method for %s returns %s", d.method.name, r, d.method.key, want)
	}
	return nil
}
