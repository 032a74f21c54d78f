// Command group_parsed_unlocked decodes the parameters of a key exchange from DER.
package main

import (
	"encoding/asn1"
	"sync"
)

// Params are a group.
type Params struct {
	Prime     int
	Generator int
}

// Exchange has the group that it uses.
type Exchange struct {
	mu     sync.Mutex
	params Params
}

// Load replaces the group.
func (e *Exchange) Load(der []byte) error {
	// BUG: without the lock
	_, err := asn1.Unmarshal(der, &e.params)
	return err
}

// Public returns the public value that belongs to a secret.
func (e *Exchange) Public(secret int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	value := 1
	for range secret {
		value *= e.params.Generator
	}
	return value % e.params.Prime
}

func main() {
	der, err := asn1.Marshal(Params{Prime: 23, Generator: 5})
	if err != nil {
		panic(err)
	}
	exchange := &Exchange{params: Params{Prime: 11, Generator: 2}}

	var wg sync.WaitGroup
	wg.Go(func() {
		if err := exchange.Load(der); err != nil {
			panic(err)
		}
	})
	wg.Go(func() {
		if v := exchange.Public(3); v != 8 && v != 10 {
			panic("of no group")
		}
	})
	wg.Wait()
}
