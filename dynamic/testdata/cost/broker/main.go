// Command broker hands messages to those who have subscribed to their topic: the list of subscribers is copied when
// it changes, each subscriber has a bounded queue that drops the oldest message, and quotas follow a clock.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Message is what is published. Nobody changes it afterwards.
type Message struct {
	Topic string
	Key   uint32
	Body  string
}

// Subscriber reads the messages of its topics.
type Subscriber struct {
	mu       sync.Mutex
	queue    [64]*Message
	head     int
	length   int
	received int
	dropped  int
	wake     chan struct{}
	closed   bool
}

func (s *Subscriber) offer(m *Message) bool {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return false
	}
	if s.length == len(s.queue) {
		s.head = (s.head + 1) % len(s.queue)
		s.length--
		s.dropped++
	}
	s.queue[(s.head+s.length)%len(s.queue)] = m
	s.length++
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	return true
}

// take moves all that is there into a slice, and tells whether more can come.
func (s *Subscriber) take(into []*Message) ([]*Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.length > 0 {
		into = append(into, s.queue[s.head])
		s.queue[s.head] = nil
		s.head = (s.head + 1) % len(s.queue)
		s.length--
		s.received++
	}
	return into, !s.closed
}

func (s *Subscriber) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	close(s.wake)
}

// bucket is how much somebody may still publish.
type bucket struct {
	mu     sync.Mutex
	tokens int
	at     int64
}

func (b *bucket) take(now int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if gone := now - b.at; gone > 0 {
		b.tokens = min(b.tokens+int(gone)*2, 1000)
		b.at = now
	}
	if b.tokens == 0 {
		return false
	}
	b.tokens--
	return true
}

// Broker knows who has subscribed to what.
type Broker struct {
	mu     sync.Mutex // for those who change topics
	topics atomic.Pointer[map[string][]*Subscriber]
	clock  atomic.Int64
	quotas sync.Map // of *bucket, by publisher
	sent   atomic.Int64
	missed atomic.Int64
}

func newBroker() *Broker {
	b := &Broker{}
	b.topics.Store(&map[string][]*Subscriber{})
	return b
}

// Subscribe lets a subscriber get the messages of topics.
func (b *Broker) Subscribe(topics ...string) *Subscriber {
	s := &Subscriber{wake: make(chan struct{}, 1)}
	b.mu.Lock()
	defer b.mu.Unlock()
	changed := map[string][]*Subscriber{}
	for topic, list := range *b.topics.Load() {
		changed[topic] = list
	}
	for _, topic := range topics {
		changed[topic] = append(append([]*Subscriber{}, changed[topic]...), s)
	}
	b.topics.Store(&changed)
	return s
}

// Publish hands a message on.
func (b *Broker) Publish(publisher int, m *Message) {
	quota, ok := b.quotas.Load(publisher)
	if !ok {
		quota, _ = b.quotas.LoadOrStore(publisher, &bucket{tokens: 1000})
	}
	if !quota.(*bucket).take(b.clock.Add(1)) {
		b.missed.Add(1)
		return
	}
	for _, s := range (*b.topics.Load())[m.Topic] {
		if s.offer(m) {
			b.sent.Add(1)
		}
	}
}

func main() {
	b := newBroker()
	names := []string{"prices", "news", "alerts", "weather", "sport"}
	var readers sync.WaitGroup
	var subscribers []*Subscriber
	sums := make([]uint32, 6)
	for i := range sums {
		s := b.Subscribe(names[i%5], names[(i+2)%5])
		subscribers = append(subscribers, s)
		readers.Go(func() {
			var messages []*Message
			for more := true; more; {
				<-s.wake
				messages, more = s.take(messages[:0])
				for _, m := range messages {
					h := m.Key
					for _, c := range []byte(m.Body) {
						h = h*16777619 ^ uint32(c)
					}
					sums[i] += h
				}
			}
		})
	}
	var writers sync.WaitGroup
	for publisher := range 4 {
		writers.Go(func() {
			seed := uint32(publisher + 1)
			for i := range 240_000 {
				seed = seed*1664525 + 1013904223
				b.Publish(publisher, &Message{names[(seed>>8)%5], seed, names[i%5] + " have changed again, as they do"})
			}
		})
	}
	writers.Wait()
	received, dropped := 0, 0
	for _, s := range subscribers {
		s.close()
	}
	readers.Wait()
	for _, s := range subscribers {
		received += s.received
		dropped += s.dropped
	}
	fmt.Println(received > 0, received+dropped == int(b.sent.Load()))
}
