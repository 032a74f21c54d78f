package random

// try declares a helper that says whether it could do something, and has done nothing else if
// it could not, perhaps.
func (g *generator) try() {
	result := g.pick("bool", "(int, bool)", "error")
	no, yes := "false", "true"
	switch result {
	case "(int, bool)":
		no, yes = "0, false", "v, true"
	case "error":
		no, yes = "refused", "nil"
		g.line("type refusal struct{}")
		g.line("func (refusal) Error() string { return \"\" }")
		g.line("var refused error = refusal{}")
	}
	g.tried = map[string]string{"bool": "!x.try(n)", "(int, bool)": "_, ok := x.try(n); !ok",
		"error": "x.try(n) != nil"}[result]
	g.line("func (x *T) try(v int) %s {", result)
	g.line("if %s {", g.condition())
	if g.slip() {
		g.write("v")
	}
	g.line("return %s", no)
	g.line("}")
	g.write("v")
	if g.chance(2) {
		g.write("v")
	}
	g.line("return %s", yes)
	g.line("}")
}

// tries until it works, and lets others in between.
func (g *generator) tries() {
	lock, unlock := g.section(false)
	g.line("%s", lock)
	v := g.name("v")
	if g.chance(3) {
		g.line("%s := %s", v, g.value())
	} else {
		g.line("%s := n", v)
	}
	switch {
	case g.slip():
		g.line("if %s {", g.tried)
	case g.tried[0] == '_':
		g.line("for {")
		g.line("if _, ok := x.try(n); ok {")
		g.line("break")
		g.line("}")
	default:
		g.line("for %s {", g.tried)
	}
	g.line("%s", unlock)
	g.line("%s", lock)
	if g.slip() {
		g.write(v)
	}
	g.line("}")
	if g.chance(3) {
		g.write(v)
	}
	g.line("%s", unlock)
	g.line("return %s", v)
}
