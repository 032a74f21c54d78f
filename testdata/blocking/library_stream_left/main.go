// Package library_stream_left: who looks for one item of a stream leaves its producer behind.
package library_stream_left

// items sends the items that a source has.
func items(next func() (string, bool)) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for {
			item, ok := next()
			if !ok {
				return
			}
			out <- item // want blocked
		}
	}()
	return out
}

// Has tells whether a source has an item.
func Has(next func() (string, bool), item string) bool {
	for found := range items(next) {
		if found == item {
			return true
		}
	}
	return false
}
