// Program channel_room_taken_fixed: The mended channel_room_taken. There is room for all of them.
package main

const room = 12

func main() {
	jobs := make(chan int, room)
	for i := range room {
		jobs <- i
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
