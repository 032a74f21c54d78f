package hook

// Code made by a loop over the numbers of parameters and results; see Fork. BindNRM makes of a
// function with N parameters and M results one of the same type that is a goroutine of its own.

func Bind0(c Child, f func()) func() {
	return func() {
		g := c.Begin()
		defer g.End()
		f()
	}
}

func Bind0R1[R1 any](c Child, f func() R1) func() R1 {
	return func() R1 {
		g := c.Begin()
		defer g.End()
		return f()
	}
}

func Bind0R2[R1, R2 any](c Child, f func() (R1, R2)) func() (R1, R2) {
	return func() (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f()
	}
}

func Bind1[A1 any](c Child, f func(A1)) func(A1) {
	return func(a1 A1) {
		g := c.Begin()
		defer g.End()
		f(a1)
	}
}

func Bind1R1[A1, R1 any](c Child, f func(A1) R1) func(A1) R1 {
	return func(a1 A1) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1)
	}
}

func Bind1R2[A1, R1, R2 any](c Child, f func(A1) (R1, R2)) func(A1) (R1, R2) {
	return func(a1 A1) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1)
	}
}

func Bind1V[A1 any](c Child, f func(...A1)) func(...A1) {
	return func(a1 ...A1) {
		g := c.Begin()
		defer g.End()
		f(a1...)
	}
}

func Bind1VR1[A1, R1 any](c Child, f func(...A1) R1) func(...A1) R1 {
	return func(a1 ...A1) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1...)
	}
}

func Bind1VR2[A1, R1, R2 any](c Child, f func(...A1) (R1, R2)) func(...A1) (R1, R2) {
	return func(a1 ...A1) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1...)
	}
}

func Bind2[A1, A2 any](c Child, f func(A1, A2)) func(A1, A2) {
	return func(a1 A1, a2 A2) {
		g := c.Begin()
		defer g.End()
		f(a1, a2)
	}
}

func Bind2R1[A1, A2, R1 any](c Child, f func(A1, A2) R1) func(A1, A2) R1 {
	return func(a1 A1, a2 A2) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2)
	}
}

func Bind2R2[A1, A2, R1, R2 any](c Child, f func(A1, A2) (R1, R2)) func(A1, A2) (R1, R2) {
	return func(a1 A1, a2 A2) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2)
	}
}

func Bind2V[A1, A2 any](c Child, f func(A1, ...A2)) func(A1, ...A2) {
	return func(a1 A1, a2 ...A2) {
		g := c.Begin()
		defer g.End()
		f(a1, a2...)
	}
}

func Bind2VR1[A1, A2, R1 any](c Child, f func(A1, ...A2) R1) func(A1, ...A2) R1 {
	return func(a1 A1, a2 ...A2) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2...)
	}
}

func Bind2VR2[A1, A2, R1, R2 any](c Child, f func(A1, ...A2) (R1, R2)) func(A1, ...A2) (R1, R2) {
	return func(a1 A1, a2 ...A2) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2...)
	}
}

func Bind3[A1, A2, A3 any](c Child, f func(A1, A2, A3)) func(A1, A2, A3) {
	return func(a1 A1, a2 A2, a3 A3) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3)
	}
}

func Bind3R1[A1, A2, A3, R1 any](c Child, f func(A1, A2, A3) R1) func(A1, A2, A3) R1 {
	return func(a1 A1, a2 A2, a3 A3) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3)
	}
}

func Bind3R2[A1, A2, A3, R1, R2 any](c Child, f func(A1, A2, A3) (R1, R2)) func(A1, A2, A3) (R1, R2) {
	return func(a1 A1, a2 A2, a3 A3) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3)
	}
}

func Bind3V[A1, A2, A3 any](c Child, f func(A1, A2, ...A3)) func(A1, A2, ...A3) {
	return func(a1 A1, a2 A2, a3 ...A3) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3...)
	}
}

func Bind3VR1[A1, A2, A3, R1 any](c Child, f func(A1, A2, ...A3) R1) func(A1, A2, ...A3) R1 {
	return func(a1 A1, a2 A2, a3 ...A3) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3...)
	}
}

func Bind3VR2[A1, A2, A3, R1, R2 any](c Child, f func(A1, A2, ...A3) (R1, R2)) func(A1, A2, ...A3) (R1, R2) {
	return func(a1 A1, a2 A2, a3 ...A3) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3...)
	}
}

func Bind4[A1, A2, A3, A4 any](c Child, f func(A1, A2, A3, A4)) func(A1, A2, A3, A4) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3, a4)
	}
}

func Bind4R1[A1, A2, A3, A4, R1 any](c Child, f func(A1, A2, A3, A4) R1) func(A1, A2, A3, A4) R1 {
	return func(a1 A1, a2 A2, a3 A3, a4 A4) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4)
	}
}

func Bind4R2[A1, A2, A3, A4, R1, R2 any](c Child, f func(A1, A2, A3, A4) (R1, R2)) func(A1, A2, A3, A4) (R1, R2) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4)
	}
}

func Bind4V[A1, A2, A3, A4 any](c Child, f func(A1, A2, A3, ...A4)) func(A1, A2, A3, ...A4) {
	return func(a1 A1, a2 A2, a3 A3, a4 ...A4) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3, a4...)
	}
}

func Bind4VR1[A1, A2, A3, A4, R1 any](c Child, f func(A1, A2, A3, ...A4) R1) func(A1, A2, A3, ...A4) R1 {
	return func(a1 A1, a2 A2, a3 A3, a4 ...A4) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4...)
	}
}

func Bind4VR2[A1, A2, A3, A4, R1, R2 any](c Child, f func(A1, A2, A3, ...A4) (R1, R2)) func(A1, A2, A3, ...A4) (
	R1, R2) {
	return func(a1 A1, a2 A2, a3 A3, a4 ...A4) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4...)
	}
}

func Bind5[A1, A2, A3, A4, A5 any](c Child, f func(A1, A2, A3, A4, A5)) func(A1, A2, A3, A4, A5) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3, a4, a5)
	}
}

func Bind5R1[A1, A2, A3, A4, A5, R1 any](c Child, f func(A1, A2, A3, A4, A5) R1) func(A1, A2, A3, A4, A5) R1 {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5)
	}
}

func Bind5R2[A1, A2, A3, A4, A5, R1, R2 any](c Child, f func(A1, A2, A3, A4, A5) (R1, R2)) func(A1, A2, A3, A4, A5) (
	R1, R2) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5)
	}
}

func Bind5V[A1, A2, A3, A4, A5 any](c Child, f func(A1, A2, A3, A4, ...A5)) func(A1, A2, A3, A4, ...A5) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 ...A5) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3, a4, a5...)
	}
}

func Bind5VR1[A1, A2, A3, A4, A5, R1 any](c Child, f func(A1, A2, A3, A4, ...A5) R1) func(A1, A2, A3, A4, ...A5) R1 {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 ...A5) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5...)
	}
}

func Bind5VR2[A1, A2, A3, A4, A5, R1, R2 any](c Child, f func(A1, A2, A3, A4, ...A5) (R1, R2)) func(
	A1, A2, A3, A4, ...A5) (R1, R2) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 ...A5) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5...)
	}
}

func Bind6[A1, A2, A3, A4, A5, A6 any](c Child, f func(A1, A2, A3, A4, A5, A6)) func(A1, A2, A3, A4, A5, A6) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5, a6 A6) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3, a4, a5, a6)
	}
}

func Bind6R1[A1, A2, A3, A4, A5, A6, R1 any](c Child, f func(A1, A2, A3, A4, A5, A6) R1) func(
	A1, A2, A3, A4, A5, A6) R1 {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5, a6 A6) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5, a6)
	}
}

func Bind6R2[A1, A2, A3, A4, A5, A6, R1, R2 any](c Child, f func(A1, A2, A3, A4, A5, A6) (R1, R2)) func(
	A1, A2, A3, A4, A5, A6) (R1, R2) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5, a6 A6) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5, a6)
	}
}

func Bind6V[A1, A2, A3, A4, A5, A6 any](c Child, f func(A1, A2, A3, A4, A5, ...A6)) func(A1, A2, A3, A4, A5, ...A6) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5, a6 ...A6) {
		g := c.Begin()
		defer g.End()
		f(a1, a2, a3, a4, a5, a6...)
	}
}

func Bind6VR1[A1, A2, A3, A4, A5, A6, R1 any](c Child, f func(A1, A2, A3, A4, A5, ...A6) R1) func(
	A1, A2, A3, A4, A5, ...A6) R1 {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5, a6 ...A6) R1 {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5, a6...)
	}
}

func Bind6VR2[A1, A2, A3, A4, A5, A6, R1, R2 any](c Child, f func(A1, A2, A3, A4, A5, ...A6) (R1, R2)) func(
	A1, A2, A3, A4, A5, ...A6) (R1, R2) {
	return func(a1 A1, a2 A2, a3 A3, a4 A4, a5 A5, a6 ...A6) (R1, R2) {
		g := c.Begin()
		defer g.End()
		return f(a1, a2, a3, a4, a5, a6...)
	}
}
