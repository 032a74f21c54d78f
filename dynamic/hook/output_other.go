//go:build !unix

package hook

func moveDescriptor(d int) int { return d }
