package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/empire-go/empire-go/dynamic/trace"
	"github.com/empire-go/empire-go/dynamic/watch"
)

// Where a function accesses a field again, at the same address, the hook may be left out: see hook.Seen. Whether it is
// the same address, and nothing has happened in between, is found out when the program runs, so that where it is
// written like that is only a guess, at what pays.

// repeat is an access whose hook may be left out where something like it was seen. A mark stands for it in the text of
// the function, until all of that is known.
type repeat struct {
	key         string // of what is alike
	isRound     bool   // it is all that a round of a loop does
	at          token.Pos
	address     string
	plain, seen string // the texts of the access; in the second, seenMark is the number of the Seen
}

const (
	markBegin = "\x01" + hookName
	markEnd   = "\x02"
	seenMark  = "\x03"
)

var (
	marks = regexp.MustCompile(markBegin + `(\d+)` + markEnd)
	// simple is the addresses that may be evaluated several times.
	simple = regexp.MustCompile(`^&(\w+)[\w.]*(\[\w+\][\w.]*)?$`)
)

// repeated returns the text of an access by a hook, or a mark for it.
func (f *file) repeated(name, address string, h hit, kind string, at token.Pos, arguments ...string) string {
	plain := f.hook(name, append([]string{address}, arguments...)...)
	base := address
	if mark := marks.FindStringSubmatch(address); mark != nil && mark[0] == address { // of another kind, to the same
		i, _ := strconv.Atoi(mark[1])
		base = f.scope.repeats[i].address
	}
	if f.full || f.exact || f.steered || h.isVar || h.reached || !simple.MatchString(base) {
		return plain
	}
	a := repeat{at: at, address: base, plain: plain}
	same, sees, op := "Same", "Sees", fmt.Sprint(uint8(operations[kind]), ", ")
	isLeading := strings.HasSuffix(name, "Leading")
	if isLeading {
		same, sees, op = "SameLeading", "SeesLeading", ""
	}
	a.key = fmt.Sprint(h.field.set, h.field.name, kind, f.forgets(h, at))
	seen := "&" + seenName + "[" + seenMark + "]"
	condition := f.hook(same, base, seen) + " || " +
		f.hook(sees, op+base+", "+strings.Join(arguments, ", ")+", "+seen)
	switch {
	case name == "Wrote":
		a.seen = hookName + ".Noted(" + condition + ")"
	case strings.HasPrefix(name, "Load"):
		a.seen = "(*" + hookName + ".Of(" + address + ", " + condition + "))"
	default:
		a.seen = hookName + ".Of(" + address + ", " + condition + ")"
	}
	f.scope.repeats = append(f.scope.repeats, a)
	return markBegin + strconv.Itoa(len(f.scope.repeats)-1) + markEnd
}

// repeatedRound is repeated for a read that is all that a round of a loop does, behind the beginnings of units. It
// tells whether such a round can be left out.
func (f *file) repeatedRound(splits, address string, h hit, at token.Pos) (text string, ok bool) {
	if f.full || f.exact || f.steered || h.isVar || h.reached || !simple.MatchString(address) {
		return "", false
	}
	arguments, same, sees, op := f.ref(h, "read", at), "Same", "Sees", fmt.Sprint(uint8(trace.Read), ", ")
	if f.isLeading(h, "read") {
		arguments += fmt.Sprint(", ", h.field.number)
		same, sees, op = "SameLeading", "SeesLeading", ""
	}
	seen := "&" + seenName + "[" + seenMark + "]"
	text = "if !" + f.hook(same, address, seen) + " { " + splits +
		f.hook(sees, op+address+", "+arguments+", "+seen) + " }; "
	f.scope.repeats = append(f.scope.repeats,
		repeat{key: fmt.Sprint("round ", at), isRound: true, at: at, address: address, seen: text})
	return markBegin + strconv.Itoa(len(f.scope.repeats)-1) + markEnd, true
}

// forgets names the reads that an access to a field forgets, and what it is forgotten by, see watch.Access.
func (f *file) forgets(h hit, at token.Pos) string {
	pos := f.position(at)
	own := slices.IndexFunc(f.plan.Accesses, func(a watch.Access) bool {
		return a.Set == h.field.set && a.Field == h.field.name && a.Pos == pos
	})
	if own < 0 {
		return ""
	}
	var all strings.Builder
	if f.plan.Accesses[own].Passing {
		fmt.Fprint(&all, " ", pos)
	}
	for i, a := range f.plan.Accesses {
		if a.Set == h.field.set && a.Passing && !slices.Contains(a.Until, pos) {
			fmt.Fprint(&all, " ", i)
		}
	}
	return all.String()
}

// settle puts the accesses of a function into its text: in the second form where one like it is close by, or in an
// earlier round of a loop. It returns the declaration of what that needs as well.
func (f *file) settle(body *ast.BlockStmt, text string) (declaration, settled string) {
	s := f.scope
	if len(s.repeats) == 0 {
		return "", text
	}
	order := make([]int, len(s.repeats))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(strings.Compare(s.repeats[i].key, s.repeats[j].key), int(s.repeats[i].at-s.repeats[j].at))
	})
	calls, loops := f.interruptions(body)
	number, n, of := make([]int, len(s.repeats)), 0, 0 // of the Seen, from 1; 0: none
	for k, i := range order {
		a, before := &s.repeats[i], -1
		if k > 0 && s.repeats[order[k-1]].key == a.key {
			before = order[k-1]
		} else {
			of = 0
		}
		isClose := before >= 0 && isBehind(a, &s.repeats[before], calls)
		if !isClose && !a.isRound && !f.stays(a, calls, loops) {
			continue
		}
		if of == 0 {
			n++
			of = n
		}
		if number[i] = of; isClose {
			number[before] = of
		}
	}
	for settled = text; strings.Contains(settled, markEnd); { // one may be in another
		settled = marks.ReplaceAllStringFunc(settled, func(mark string) string {
			i, _ := strconv.Atoi(marks.FindStringSubmatch(mark)[1])
			if number[i] == 0 {
				return s.repeats[i].plain
			}
			return strings.ReplaceAll(s.repeats[i].seen, seenMark, strconv.Itoa(number[i]-1))
		})
	}
	if n == 0 {
		return "", settled
	}
	return fmt.Sprintf("var %s [%d]%s.Seen; ", seenName, n, hookName), settled
}

// isBehind tells whether an access is to the address of one before it, and nothing is called in between.
func isBehind(a, before *repeat, calls []token.Pos) bool {
	return a.at != before.at && a.address == before.address &&
		!slices.ContainsFunc(calls, func(p token.Pos) bool { return before.at < p && p < a.at })
}

// interruptions returns where a body calls something, or waits, and its loops.
func (f *file) interruptions(body *ast.BlockStmt) (calls []token.Pos, loops []ast.Stmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if tv := f.info.Types[n.Fun]; !tv.IsType() && !tv.IsBuiltin() {
				calls = append(calls, n.Pos())
			}
		case *ast.SendStmt, *ast.SelectStmt:
			calls = append(calls, n.Pos())
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				calls = append(calls, n.Pos())
			}
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, n.(ast.Stmt))
		}
		return true
	})
	return calls, loops
}

// stays tells whether an access is in a loop that calls nothing, begins no units anew, and does not change the variable
// that the address begins with.
func (f *file) stays(a *repeat, calls []token.Pos, loops []ast.Stmt) bool {
	var loop ast.Stmt
	for _, l := range loops {
		if l.Pos() <= a.at && a.at < l.End() && (loop == nil || l.Pos() > loop.Pos()) {
			loop = l
		}
	}
	if loop == nil || len(f.splits(loop)) > 0 || strings.Contains(a.address, "[") {
		return false
	}
	if slices.ContainsFunc(calls, func(p token.Pos) bool { return loop.Pos() <= p && p < loop.End() }) {
		return false
	}
	root, stays := simple.FindStringSubmatch(a.address)[1], true
	changes := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name == root {
			stays = false
		}
	}
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				changes(e)
			}
		case *ast.RangeStmt:
			changes(n.Key)
			changes(n.Value)
		}
		return stays
	})
	return stays
}
