// Command rollback_after_commit has transactions that are committed, and rolled back if they were not.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type DB struct {
	mu      sync.RWMutex
	values  map[string]int
	version int
	closed  bool
}

type Tx struct {
	db       *DB
	writable bool
	closed   bool
}

func (db *DB) Begin(writable bool) (*Tx, error) {
	if writable {
		db.mu.Lock()
	} else {
		db.mu.RLock()
	}
	if db.closed {
		if writable {
			db.mu.Unlock()
		} else {
			db.mu.RUnlock()
		}
		return nil, errors.New("closed")
	}
	return &Tx{db: db, writable: writable}, nil
}

func (tx *Tx) close() {
	if tx.writable {
		tx.db.mu.Unlock()
	} else {
		tx.db.mu.RUnlock()
	}
}

func (tx *Tx) Set(key string, value int) {
	tx.db.values[key] = value
	tx.db.version++
}

func (tx *Tx) Get(key string) (int, int) {
	return tx.db.values[key], tx.db.version
}

func (tx *Tx) Commit() error {
	if tx.closed {
		return errors.New("done")
	}
	if !tx.writable {
		return errors.New("read only")
	}
	tx.closed = true
	tx.close()
	return nil
}

func (tx *Tx) Rollback() {
	if tx.closed {
		return
	}
	tx.closed = true
	tx.close()
}

func work(db *DB, i int) error {
	tx, err := db.Begin(true)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	tx.Set("a", i)
	return tx.Commit()
}

func look(db *DB) {
	tx, err := db.Begin(false)
	if err != nil {
		return
	}
	tx.Rollback()
	fmt.Println(tx.Get("a"))
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		db := &DB{values: map[string]int{}}
		for i := range 3 {
			wg.Go(func() { work(db, i) })
			wg.Go(func() { look(db) })
		}
	}
	wg.Wait()
}
