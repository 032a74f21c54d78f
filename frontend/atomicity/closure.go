package atomicity

import (
	"fmt"
	"go/constant"
	"go/token"
	"strings"
)

// literal is a condition: that a term is true, or false.
type literal struct {
	term term
	is   bool
}

// closure is what follows from conditions: congruence closure, with booleans, constants and linear
// orders. It is sound and not complete: what it calls a contradiction is one.
type closure struct {
	*pool
	parent        map[term]term
	terms         []term
	differ        map[[2]term]bool // classes that are known to be different, by their roots at the time
	contradiction bool
}

// close returns what follows from conditions about their terms and the others.
func (p *pool) close(all []literal, others ...term) *closure {
	c := &closure{pool: p, parent: map[term]term{}}
	c.take(falseTerm)
	c.take(trueTerm)
	for _, l := range all {
		c.take(l.term)
	}
	for _, t := range others {
		c.take(t)
	}
	for _, l := range all {
		c.unite(l.term, p.boolean(l.is))
	}
	for c.round() && !c.contradiction {
	}
	return c
}

// take adds a term with its parts.
func (c *closure) take(t term) {
	if _, ok := c.parent[t]; ok {
		return
	}
	c.parent[t] = t
	for _, a := range c.nodes[t].args {
		c.take(a)
	}
	c.terms = append(c.terms, t)
}

func (c *closure) find(t term) term {
	for c.parent[t] != t {
		c.parent[t] = c.parent[c.parent[t]]
		t = c.parent[t]
	}
	return t
}

// unite makes two terms one. Constants, and what tells classes apart, become roots.
func (c *closure) unite(a, b term) bool {
	a, b = c.find(a), c.find(b)
	if a == b {
		return false
	}
	if c.areDifferent(a, b) {
		c.contradiction = true
		return false
	}
	if c.rank(b) > c.rank(a) || c.rank(a) == c.rank(b) && b < a {
		a, b = b, a
	}
	c.parent[b] = a
	return true
}

// rank says how much a term tells.
func (c *closure) rank(t term) int {
	switch n := c.nodes[t]; {
	case n.value != nil || n.op == "nil" || c.isMade(t):
		return 3
	case c.isAddress(t):
		return 2
	case n.op == "+":
		return 1
	}
	return 0
}

// areDifferent tells whether two roots cannot be the same value.
func (c *closure) areDifferent(a, b term) bool {
	if a == b {
		return false
	}
	if c.differ[[2]term{a, b}] || c.differ[[2]term{b, a}] {
		return true
	}
	x, y := c.nodes[a], c.nodes[b]
	switch {
	case x.value != nil && y.value != nil:
		return x.value.Kind() == y.value.Kind() && constant.Compare(x.value, token.NEQ, y.value)
	case x.op == "nil":
		return c.isNotNil(b)
	case y.op == "nil":
		return c.isNotNil(a)
	case c.isMade(a) && c.isMade(b):
		return true
	case strings.HasPrefix(x.op, "global ") && strings.HasPrefix(y.op, "global "):
		return true
	case c.isMade(a) && c.isAddress(b) || c.isMade(b) && c.isAddress(a):
		return x.op[0] != '&' && y.op[0] != '&'
	case x.op == y.op && len(x.op) > 0 && x.op[0] == '&':
		return c.areDifferent(c.find(x.args[0]), c.find(y.args[0]))
	}
	return c.offsetsDiffer(a, b)
}

// offsetsDiffer tells whether two sums of the same term and different constants are compared.
func (c *closure) offsetsDiffer(a, b term) bool {
	base := func(t term) (term, int64) {
		if n := c.nodes[t]; n.op == "+" {
			return c.find(n.args[0]), n.offset
		}
		return c.find(t), 0
	}
	x, m := base(a)
	y, n := base(b)
	return x == y && m != n
}

// round applies each rule once. It tells whether something was new.
func (c *closure) round() (changed bool) {
	same := map[string]term{}
	c.differ = map[[2]term]bool{}
	for _, t := range c.terms { // first what is different, which the others ask for
		if n := c.nodes[t]; n.op == "==" && c.find(t) == c.find(falseTerm) {
			a, b := c.find(n.args[0]), c.find(n.args[1])
			if a == b {
				c.contradiction = true
				return false
			}
			c.differ[[2]term{a, b}] = true
		}
	}
	for _, t := range c.terms {
		n := c.nodes[t]
		if len(n.args) == 0 {
			continue
		}
		key := n.op + fmt.Sprint(n.offset)
		for _, a := range n.args {
			key += fmt.Sprint(" ", c.find(a))
		}
		if other, ok := same[key]; ok {
			changed = c.unite(t, other) || changed
		} else {
			same[key] = t
		}
		changed = c.rule(t, n) || changed
		if c.contradiction {
			return false
		}
	}
	return c.ordered() || changed
}

// rule applies what is known of an operation.
func (c *closure) rule(t term, n node) (changed bool) {
	isTrue, isFalse := c.find(t) == c.find(trueTerm), c.find(t) == c.find(falseTerm)
	switch n.op {
	case "==":
		a, b := c.find(n.args[0]), c.find(n.args[1])
		switch {
		case isTrue:
			changed = c.unite(a, b)
		case isFalse: // see round
		case a == b:
			changed = c.unite(t, trueTerm)
		case c.areDifferent(a, b) || c.offsetsDiffer(n.args[0], n.args[1]):
			changed = c.unite(t, falseTerm)
		}
		if isTrue && c.offsetsDiffer(n.args[0], n.args[1]) {
			c.contradiction = true
		}
		// of booleans
		for i, arg := range n.args {
			other := n.args[1-i]
			if c.find(arg) == c.find(trueTerm) {
				changed = c.unite(t, other) || changed
			}
		}
	case "!":
		switch c.find(n.args[0]) {
		case c.find(trueTerm):
			changed = c.unite(t, falseTerm)
		case c.find(falseTerm):
			changed = c.unite(t, trueTerm)
		}
		if isTrue {
			changed = c.unite(n.args[0], falseTerm) || changed
		} else if isFalse {
			changed = c.unite(n.args[0], trueTerm) || changed
		}
	case "+":
		// No type is too small for the sum, and none too unsigned.
		if v, ok := c.small(c.find(n.args[0])); ok && v+n.offset >= 0 && v+n.offset <= maxOffset {
			sum := c.constant(constant.MakeInt64(v + n.offset))
			if _, ok := c.parent[sum]; !ok {
				c.take(sum)
			}
			changed = c.unite(t, sum)
		}
	}
	return changed
}

// ordered applies that comparisons are linear orders.
func (c *closure) ordered() (changed bool) {
	var all []term // the comparisons
	at := map[term]int{}
	var compared []term
	note := func(t term) int {
		t = c.find(t)
		if _, ok := at[t]; !ok {
			at[t] = len(compared)
			compared = append(compared, t)
		}
		return at[t]
	}
	for _, t := range c.terms {
		if c.nodes[t].op == "<" {
			all = append(all, t)
			note(c.nodes[t].args[0])
			note(c.nodes[t].args[1])
		}
	}
	if len(all) == 0 || len(compared) > 40 {
		return false
	}
	const (
		none = iota
		atMost
		less
	)
	n := len(compared)
	order := make([][]int, n)
	for i := range order {
		order[i] = make([]int, n)
		for j := range n {
			x, y := c.nodes[compared[i]].value, c.nodes[compared[j]].value
			if i != j && x != nil && y != nil && x.Kind() == y.Kind() && x.Kind() != constant.Bool &&
				constant.Compare(x, token.LSS, y) {
				order[i][j] = less
			}
		}
	}
	for _, t := range all {
		a, b := note(c.nodes[t].args[0]), note(c.nodes[t].args[1])
		switch c.find(t) {
		case c.find(trueTerm):
			order[a][b] = less
		case c.find(falseTerm):
			order[b][a] = max(order[b][a], atMost)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				if order[i][k] > none && order[k][j] > none {
					order[i][j] = max(order[i][j], order[i][k], order[k][j])
				}
			}
		}
	}
	for i := range n {
		if order[i][i] == less {
			c.contradiction = true
			return false
		}
		for j := range n {
			if i != j && order[i][j] == atMost && order[j][i] == atMost && c.unite(compared[i], compared[j]) {
				return true // the numbers of the classes are others now
			}
		}
	}
	for _, t := range all {
		a, b := at[c.find(c.nodes[t].args[0])], at[c.find(c.nodes[t].args[1])]
		switch {
		case a == b || order[b][a] >= atMost:
			changed = c.unite(t, falseTerm) || changed
		case order[a][b] == less:
			changed = c.unite(t, trueTerm) || changed
		}
	}
	for _, t := range c.terms {
		if n := c.nodes[t]; n.op == "==" {
			i, isFirst := at[c.find(n.args[0])]
			j, isSecond := at[c.find(n.args[1])]
			if isFirst && isSecond && (order[i][j] == less || order[j][i] == less) {
				changed = c.unite(t, falseTerm) || changed
			}
		}
	}
	return changed
}

// areEqual tells whether two terms that were taken are the same value.
func (c *closure) areEqual(a, b term) bool { return c.contradiction || c.find(a) == c.find(b) }

// value tells whether a condition that was taken is decided, and how.
func (c *closure) value(t term) (is, decided bool) {
	switch c.find(t) {
	case c.find(trueTerm):
		return true, true
	case c.find(falseTerm):
		return false, true
	}
	return false, false
}
