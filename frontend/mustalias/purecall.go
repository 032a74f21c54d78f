package mustalias

import (
	"golang.org/x/tools/go/ssa"

	"github.com/empire-go/empire-go/frontend/ssaflow"
)

// findsTheSame tells whether two calls of one function find the same in the memory that
// they read, so far as it is no part of the set. As of loads in place, what others do to
// it is not looked at, but the unit itself must not change it between.
func (m *Matcher) findsTheSame(a, b *ssa.Call) bool {
	memory := m.L.MemoryRead(m.Node, a)
	if len(memory) == 0 {
		return true
	}
	m.Loose = m.Loose || ssaflow.IsPointerLike(a.Type()) && !m.IsLook(a)
	return m.helper == nil && !m.isChanged(a, b, memory)
}
