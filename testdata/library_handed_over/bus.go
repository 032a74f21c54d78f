// Package bus is a library whose messages are only handed to methods of connections.
package bus

import "sync"

// Message is a text, encoded when it is sent for the first time.
type Message struct {
	mu      sync.Mutex
	text    string
	encoded []byte
	ready   bool
}

// NewMessage returns a message.
func NewMessage(text string) *Message { return &Message{text: text} }

// bytes returns the message encoded.
func (m *Message) bytes() []byte {
	m.mu.Lock()
	ready := m.ready
	m.mu.Unlock()
	if !ready { // BUG: somebody else may have encoded it by now
		m.mu.Lock()
		m.encoded = []byte(m.text)
		m.ready = true
		m.mu.Unlock()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.encoded
}

// Conn is a connection.
type Conn struct{ sent [][]byte }

// NewConn returns a connection.
func NewConn() *Conn { return &Conn{} }

// Send sends the message. One message can be sent to many connections at a time.
func (c *Conn) Send(m *Message) { c.sent = append(c.sent, m.bytes()) }
