// Program channel_room_taken: A queue has room for a dozen jobs. One more than that is put into it before anybody works.
package main

const room = 12

func main() {
	jobs := make(chan int, room)
	for i := range room + 1 {
		jobs <- i // want blocked
	}
	close(jobs)
	done := make(chan int)
	go func() {
		sum := 0
		for n := range jobs {
			sum += n
		}
		done <- sum
	}()
	println(<-done)
}
