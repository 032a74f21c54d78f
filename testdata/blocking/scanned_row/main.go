// Command scanned_row reads a number from a table, and waits for a result that comes only if it is zero.
package main

import (
	"database/sql"
	"os"
)

func main() {
	db, err := sql.Open("some", os.Args[1])
	if err != nil {
		return
	}
	var n int
	if db.QueryRow("select n from t").Scan(&n) != nil {
		return
	}
	results := make(chan int, 1)
	if n == 0 {
		results <- 1
	}
	// confirm: no, the program has no driver of that name, so that it does not come here
	<-results // want blocked
}
