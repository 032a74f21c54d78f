package limit

import "context"

// A limit on memory that is looked at every few milliseconds does not see a table coming
// that doubles at once. So who is about to make a large one asks first.

// large is the number of bytes below which nobody has to ask.
const large = 1 << 22

type memoryKey struct{}

// WithMemory returns a context that asks allow before large allocations are made under
// it. Where it says no, it has to end the context.
func WithMemory(ctx context.Context, allow func(bytes int64) bool) context.Context {
	return context.WithValue(ctx, memoryKey{}, allow)
}

// Allow tells whether so many bytes may be allocated under the context: small numbers
// always. After a no the context is done.
func Allow(ctx context.Context, bytes int) bool {
	if bytes < large {
		return true
	}
	allow, ok := ctx.Value(memoryKey{}).(func(int64) bool)
	return !ok || allow(int64(bytes))
}
