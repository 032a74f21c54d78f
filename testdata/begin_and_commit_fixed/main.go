// Command begin_and_commit_fixed has transactions: Begin locks the database, Commit and Rollback unlock it.
package main

import (
	"errors"
	"fmt"
	"sync"
)

var errDone = errors.New("transaction has ended")

// DB is values, and the number of the last change.
type DB struct {
	mu      sync.RWMutex
	values  map[string]int
	version int
}

// Tx is a transaction.
type Tx struct {
	db       *DB
	writable bool
	done     bool
}

// Begin begins a transaction.
func (db *DB) Begin(writable bool) *Tx {
	tx := &Tx{db: db, writable: writable}
	tx.lock()
	return tx
}

func (tx *Tx) lock() {
	if tx.writable {
		tx.db.mu.Lock()
	} else {
		tx.db.mu.RLock()
	}
}

func (tx *Tx) unlock() {
	if tx.writable {
		tx.db.mu.Unlock()
	} else {
		tx.db.mu.RUnlock()
	}
}

// Set sets a value.
func (tx *Tx) Set(key string, value int) error {
	if !tx.writable {
		return errors.New("read only")
	}
	tx.db.values[key] = value
	tx.db.version++
	return nil
}

// Get returns a value, and the number of the last change.
func (tx *Tx) Get(key string) (int, int) {
	return tx.db.values[key], tx.db.version
}

// Commit ends the transaction.
func (tx *Tx) Commit() error {
	if tx.done {
		return errDone
	}
	tx.done = true
	tx.unlock()
	return nil
}

// Rollback ends the transaction.
func (tx *Tx) Rollback() error {
	if tx.done {
		return errDone
	}
	tx.done = true
	tx.unlock()
	return nil
}

// Update runs a function in a transaction.
func (db *DB) Update(fn func(*Tx) error) error {
	tx := db.Begin(true)
	if err := fn(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// View runs a function in a transaction that only reads.
func (db *DB) View(fn func(*Tx) error) error {
	tx := db.Begin(false)
	if err := fn(tx); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Rollback()
}

func main() {
	db := &DB{values: map[string]int{}}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			db.Update(func(tx *Tx) error { return tx.Set("a", i) })
		})
		wg.Go(func() {
			db.View(func(tx *Tx) error {
				fmt.Println(tx.Get("a"))
				return nil
			})
		})
	}
	wg.Wait()
}
