// Package library_stream_left_fixed: the mended library_stream_left. The producer is told that nobody takes more.
package library_stream_left_fixed

// items sends the items that a source has, until it is told to stop.
func items(next func() (string, bool), stop <-chan struct{}) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		for {
			item, ok := next()
			if !ok {
				return
			}
			select {
			case out <- item:
			case <-stop:
				return
			}
		}
	}()
	return out
}

// Has tells whether a source has an item.
func Has(next func() (string, bool), item string) bool {
	stop := make(chan struct{})
	defer close(stop)
	for found := range items(next, stop) {
		if found == item {
			return true
		}
	}
	return false
}
