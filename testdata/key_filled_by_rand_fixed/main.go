// Command key_filled_by_rand_fixed has a key that is replaced by a new random one
// from time to time, with a number.
package main

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"
)

// Signer signs messages with the key of the day.
type Signer struct {
	mu     sync.RWMutex
	key    [16]byte
	number int
}

// Rotate makes a new key.
func (s *Signer) Rotate() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := rand.Read(s.key[:]); err != nil {
		return
	}
	s.number++
}

// secret returns the key.
func (s *Signer) secret() [16]byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.key
}

// id returns the number of the key.
func (s *Signer) id() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.number
}

// Signature is what goes with a message.
type Signature struct {
	sum    [sha256.Size]byte
	number int
}

// Sign signs a message.
func (s *Signer) Sign(message string) Signature {
	s.mu.RLock()
	key := s.key
	number := s.number
	s.mu.RUnlock()
	sum := sha256.Sum256(append(key[:], message...))
	return Signature{sum, number}
}

func main() {
	signer := &Signer{}
	signer.Rotate()
	rotated := make(chan struct{})
	go func() {
		signer.Rotate()
		close(rotated)
	}()
	if signature := signer.Sign("hello"); signature.number == 0 {
		panic("signed without a key")
	}
	<-rotated
}
