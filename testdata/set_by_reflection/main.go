// Command set_by_reflection sets the fields of a profile by their names, with package reflect.
package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Profile is what users say about themselves.
type Profile struct {
	Name, Town string
	Age        int
}

// Account has a profile, and counts its changes.
type Account struct {
	mu      sync.Mutex
	profile Profile
	changes int
}

// Set sets a field of the profile.
func (a *Account) Set(field, value string) bool {
	fields := reflect.ValueOf(&a.profile).Elem()
	for i := 0; i < fields.NumField(); i++ {
		if fields.Type().Field(i).Name == field && fields.Field(i).Kind() == reflect.String {
			fields.Field(i).SetString(value)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changes++
	return true
}

// Get returns the town, and how often anything was changed.
func (a *Account) Get() (string, int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	town := a.profile.Town
	return town, a.changes
}

func main() {
	account := &Account{}
	done := make(chan bool)
	go func() { done <- account.Set("Town", "Ulm") }()
	fmt.Println(account.Get())
	fmt.Println(<-done)
}
