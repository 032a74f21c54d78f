package knowledge

import (
	"regexp"
	"slices"
	"strings"
)

// StandIn is what a function is handed that wants a value of a type which leads out of the
// program, or of which an empty value is of no use: something in memory. Packages are named in its
// texts as in ${net/http}.Header.
type StandIn struct {
	Type   string   // as package go/types writes it
	Uses   []string // types of other rows, whose declarations it needs
	Text   string   // declarations of types and functions
	Values []string // expressions
	// Shows tells that what it leads to shows what was done with it
	Shows bool
}

// standInPackage finds the packages that texts name.
var standInPackage = regexp.MustCompile(`\$\{([^}]*)\}`)

// StandInFor returns the stand-in for a type, nil if there is none.
func StandInFor(typeName string) *StandIn {
	i := slices.IndexFunc(standIns, func(s StandIn) bool { return s.Type == typeName })
	if i < 0 {
		return nil
	}
	return &standIns[i]
}

// Packages returns the paths of the packages that the stand-in and those that it uses name.
func (s *StandIn) Packages() []string {
	var all []string
	for _, text := range append(slices.Clone(s.Values), s.Declarations()...) {
		for _, m := range standInPackage.FindAllStringSubmatch(text, -1) {
			all = append(all, m[1])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Declarations returns the declarations that the values need, each once.
func (s *StandIn) Declarations() []string {
	var all []string
	for _, name := range s.Uses {
		for _, text := range StandInFor(name).Declarations() {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	if s.Text != "" {
		all = append(all, s.Text)
	}
	return all
}

// StandInText writes a text of a stand-in, with names for the packages.
func StandInText(text string, name func(path string) string) string {
	return standInPackage.ReplaceAllStringFunc(text, func(m string) string {
		return name(strings.TrimSuffix(m[2:], "}"))
	})
}

// Supply is the tag of fields of stand-ins which hold what they have to give. How much of it is left is no outcome:
// what was taken shows in what was done with it.
const Supply = "supply"

// standIns are the rows. A stream has a few bytes to read, keeps what is written, and is closed once.
// A connection may also be idle: who reads from it waits.
var standIns = []StandIn{
	{Type: "error", Values: []string{`${errors}.New("an error")`, "nil"}},
	{Type: "context.Context", Values: []string{"${context}.Background()"}},

	{Type: "io.ReadWriteCloser", Shows: true, Values: []string{`&standInStream{unread: "text"}`}, Text: streamText},
	{Type: "io.ReadCloser", Shows: true, Uses: stream, Values: []string{`&standInStream{unread: "text"}`}},
	{Type: "io.WriteCloser", Shows: true, Uses: stream, Values: []string{"&standInStream{}"}},
	{Type: "io.ReadWriter", Shows: true, Uses: stream, Values: []string{`&standInStream{unread: "text"}`}},
	{Type: "io.Reader", Shows: true, Uses: stream, Values: []string{`&standInStream{unread: "text"}`}},
	{Type: "io.Writer", Shows: true, Uses: stream, Values: []string{"&standInStream{}"}},
	{Type: "io.Closer", Shows: true, Uses: stream, Values: []string{"&standInStream{}"}},
	{Type: "*bufio.Reader", Uses: stream, Values: []string{`${bufio}.NewReader(&standInStream{unread: "text"})`}},
	{Type: "*bufio.Writer", Uses: stream, Values: []string{"${bufio}.NewWriter(&standInStream{})"}},

	{Type: "net.Addr", Values: []string{`standInAddr("a")`}, Text: `type standInAddr string

func (standInAddr) Network() string { return "memory" }
func (a standInAddr) String() string { return string(a) }
`},
	{Type: "net.Conn", Shows: true, Uses: []string{"io.ReadWriteCloser", "net.Addr"},
		Values: []string{`&standInConn{standInStream{unread: "text"}}`, "standInIdle()"},
		Text: `type standInConn struct{ standInStream }

func (*standInConn) LocalAddr() ${net}.Addr { return standInAddr("a") }
func (*standInConn) RemoteAddr() ${net}.Addr { return standInAddr("b") }
func (*standInConn) SetDeadline(${time}.Time) error { return nil }
func (*standInConn) SetReadDeadline(${time}.Time) error { return nil }
func (*standInConn) SetWriteDeadline(${time}.Time) error { return nil }

// standInIdleConn is one that nothing comes from until it is closed.
type standInIdleConn struct {
	standInConn
	open, end chan bool
}

func standInIdle() *standInIdleConn {
	c := &standInIdleConn{open: make(chan bool, 1), end: make(chan bool)}
	c.open <- true
	return c
}

func (c *standInIdleConn) Read([]byte) (int, error) {
	<-c.end
	return 0, ${net}.ErrClosed
}

func (c *standInIdleConn) Close() error {
	select {
	case <-c.open:
		close(c.end)
		return c.standInConn.Close()
	default:
		return ${net}.ErrClosed
	}
}
`},
	{Type: "net.Listener", Shows: true, Uses: []string{"net.Conn"},
		Values: []string{"&standInListener{left: 2}", "&standInListener{left: 2, idle: true}"},
		Text: `type standInListener struct {
	left         int "supply"
	idle, closed bool
}

func (l *standInListener) Accept() (${net}.Conn, error) {
	if l.closed || l.left == 0 {
		return nil, ${net}.ErrClosed
	}
	l.left--
	if l.idle {
		if l.left == 0 { // the second client comes later
			<-${time}.After(${time}.Minute)
		}
		return standInIdle(), nil
	}
	return &standInConn{standInStream{unread: "text"}}, nil
}

func (l *standInListener) Close() error {
	if l.closed {
		return ${net}.ErrClosed
	}
	l.closed = true
	return nil
}

func (*standInListener) Addr() ${net}.Addr { return standInAddr("a") }
`},

	{Type: "net/http.ResponseWriter", Shows: true, Uses: stream,
		Values: []string{"&standInResponse{header: ${net/http}.Header{}}"}, Text: `type standInResponse struct {
	standInStream
	header ${net/http}.Header
	status int
}

func (r *standInResponse) Header() ${net/http}.Header { return r.header }

func (r *standInResponse) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}
`},
	{Type: "*net/http.Request", Values: []string{"standInRequest()"}, Text: `func standInRequest() *${net/http}.Request {
	r, _ := ${net/http}.NewRequest("GET", "http://example.com/a", nil)
	return r
}
`},
	{Type: "net/http.Handler", Values: []string{
		"${net/http}.HandlerFunc(func(w ${net/http}.ResponseWriter, _ *${net/http}.Request) { w.WriteHeader(200) })"}},
	{Type: "net/http.RoundTripper", Values: []string{"standInTransport{}"}, Text: `type standInTransport struct{}

func (standInTransport) RoundTrip(r *${net/http}.Request) (*${net/http}.Response, error) {
	return &${net/http}.Response{StatusCode: 200, Header: ${net/http}.Header{}, Body: ${net/http}.NoBody, Request: r}, nil
}
`},
	{Type: "*net/http.Client", Uses: []string{"net/http.RoundTripper"},
		Values: []string{"&${net/http}.Client{Transport: standInTransport{}}"}},

	{Type: "io/fs.FS", Values: []string{"standInFiles{}"}, Text: `type standInFiles struct{}

func (standInFiles) Open(name string) (${io/fs}.File, error) {
	return nil, &${io/fs}.PathError{Op: "open", Path: name, Err: ${io/fs}.ErrNotExist}
}
`},
	{Type: "sync.Locker", Shows: true, Values: []string{"new(${sync}.Mutex)"}},
	{Type: "*log.Logger", Values: []string{`${log}.New(${io}.Discard, "", 0)`}},
	{Type: "*log/slog.Logger", Values: []string{"${log/slog}.New(${log/slog}.NewTextHandler(${io}.Discard, nil))"}},
	{Type: "*math/rand.Rand", Values: []string{"${math/rand}.New(${math/rand}.NewSource(1))"}},
	{Type: "math/rand.Source", Values: []string{"${math/rand}.NewSource(1)"}},
	{Type: "reflect.Type", Values: []string{"${reflect}.TypeOf(0)", `${reflect}.TypeOf("")`}},
	{Type: "hash.Hash", Shows: true, Values: []string{"${hash/fnv}.New64()"}},
}

// stream is the row that declares a stream.
var stream = []string{"io.ReadWriteCloser"}

const streamText = `type standInStream struct {
	unread  string "supply"
	written []byte
	closed  bool
}

func (s *standInStream) Read(p []byte) (int, error) {
	switch {
	case s.closed:
		return 0, ${io}.ErrClosedPipe
	case s.unread == "":
		return 0, ${io}.EOF
	}
	n := copy(p, s.unread)
	s.unread = s.unread[n:]
	return n, nil
}

func (s *standInStream) Write(p []byte) (int, error) {
	if s.closed {
		return 0, ${io}.ErrClosedPipe
	}
	s.written = append(s.written, p...)
	return len(p), nil
}

func (s *standInStream) Close() error {
	if s.closed {
		return ${io}.ErrClosedPipe
	}
	s.closed = true
	return nil
}
`
