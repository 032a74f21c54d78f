package execute

import (
	"bytes"
	"strings"
)

// bytesInAssembly returns what stands for the searches of bytes that the standard library has in assembly.
func bytesInAssembly() map[string]native {
	const pkg = "internal/bytealg."
	return map[string]native{
		pkg + "IndexByte": func(g *goroutine, a []value) value {
			return int64(bytes.IndexByte(g.bytes(a[0]), byte(a[1].(int64))))
		},
		pkg + "IndexByteString": func(_ *goroutine, a []value) value {
			return int64(strings.IndexByte(a[0].(string), byte(a[1].(int64))))
		},
		pkg + "Count": func(g *goroutine, a []value) value {
			return int64(bytes.Count(g.bytes(a[0]), []byte{byte(a[1].(int64))}))
		},
		pkg + "CountString": func(_ *goroutine, a []value) value {
			return int64(strings.Count(a[0].(string), string([]byte{byte(a[1].(int64))})))
		},
		pkg + "Compare": func(g *goroutine, a []value) value {
			return int64(bytes.Compare(g.bytes(a[0]), g.bytes(a[1])))
		},
		pkg + "CompareString": func(_ *goroutine, a []value) value {
			return int64(strings.Compare(a[0].(string), a[1].(string)))
		},
		pkg + "Index": func(g *goroutine, a []value) value {
			return int64(bytes.Index(g.bytes(a[0]), g.bytes(a[1])))
		},
		pkg + "IndexString": textIndex(strings.Index),
	}
}

// bytes reads the elements of a slice of bytes.
func (g *goroutine) bytes(v value) []byte {
	var all []byte
	for _, c := range v.(slice).cells {
		b, t := g.load(c)
		g.returned = g.returned.union(t)
		all = append(all, byte(b.(int64)))
	}
	return all
}
