package harm

import (
	"errors"
	"io"
	"net"
	"sync"
)

// Link sends on a connection that may have been closed meanwhile.
type Link struct {
	mu   sync.Mutex
	conn net.Conn
	sent int
}

func NewLink(c net.Conn) *Link { return &Link{conn: c} }

var errClosed = errors.New("closed")

func (l *Link) Send(from io.Reader) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	l.mu.Lock()
	c := l.conn
	l.mu.Unlock()
	if c == nil {
		return errClosed
	}
	if _, err := c.Write(text); err != nil {
		return err
	}
	l.mu.Lock()
	l.sent++
	l.mu.Unlock()
	return nil
}

func (l *Link) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		l.conn.Close()
		l.conn = nil
	}
}

// LinkFixed closes when nobody sends.
type LinkFixed struct {
	mu   sync.Mutex
	conn net.Conn
	sent int
}

func NewLinkFixed(c net.Conn) *LinkFixed { return &LinkFixed{conn: c} }

func (l *LinkFixed) Send(from io.Reader) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		return errClosed
	}
	if _, err := l.conn.Write(text); err != nil {
		return err
	}
	l.sent++
	return nil
}

func (l *LinkFixed) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		l.conn.Close()
		l.conn = nil
	}
}
