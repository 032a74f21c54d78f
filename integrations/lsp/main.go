// Command lsp is a language server on standard input and output: an editor shows violations where they begin, with
// the interleaving as related information, and can accept one, explain it, and open the page.
//
// It checks when the editor begins and when a file is saved, on the disk, with the answers that are kept; a check that
// goes on then is stopped. EMPIRE_BUDGET is the budget of work for each, 30s if it is not set.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"strconv"
	"sync"
)

func main() {
	s := &server{out: os.Stdout}
	if err := s.serve(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "lsp:", err)
		os.Exit(1)
	}
}

// message is a request, a response or a notification of JSON-RPC.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// methodNotFound is the code for a request that is not known.
const methodNotFound = -32601

// maxMessage bounds a message.
const maxMessage = 64 << 20

// read reads the next message.
func read(in *bufio.Reader) (m message, err error) {
	head, err := textproto.NewReader(in).ReadMIMEHeader()
	if err != nil {
		return m, err
	}
	n, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil || n < 0 || n > maxMessage {
		return m, fmt.Errorf("a message of length %q", head.Get("Content-Length"))
	}
	body := make([]byte, n)
	if _, err := io.ReadFull(in, body); err != nil {
		return m, err
	}
	return m, json.Unmarshal(body, &m)
}

// server talks to one editor.
type server struct {
	out   io.Writer
	write sync.Mutex // one message at a time
	calls int        // requests to the editor, for their ids

	checking
}

// send sends a message.
func (s *server) send(m message) error {
	m.Version = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	s.write.Lock()
	defer s.write.Unlock()
	_, err = fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// notify tells the editor something; with an id it asks for it, and does not wait for the answer.
func (s *server) notify(method string, params any, isRequest bool) error {
	text, err := json.Marshal(params)
	if err != nil {
		return err
	}
	m := message{Method: method, Params: text}
	if isRequest {
		s.write.Lock()
		s.calls++
		m.ID = json.RawMessage(strconv.Itoa(s.calls))
		s.write.Unlock()
	}
	return s.send(m)
}

// serve answers until the editor says that it is over.
func (s *server) serve(in io.Reader) error {
	defer s.stop()
	for reader := bufio.NewReader(in); ; {
		m, err := read(reader)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if m.Method == "exit" {
			return nil
		}
		if m.Method == "" { // an answer
			continue
		}
		result, err := s.handle(m)
		if len(m.ID) == 0 {
			continue
		}
		answer := message{ID: m.ID, Result: result}
		switch {
		case err != nil:
			answer.Error = &rpcError{methodNotFound, err.Error()}
		case result == nil:
			answer.Result = json.RawMessage("null")
		}
		if err := s.send(answer); err != nil {
			return err
		}
	}
}

// handle does what a message asks for.
func (s *server) handle(m message) (any, error) {
	switch m.Method {
	case "initialize":
		return s.initialize(m.Params)
	case "initialized", "textDocument/didSave":
		s.begin(s)
	case "textDocument/codeAction":
		return s.actions(m.Params)
	case "workspace/executeCommand":
		return nil, s.execute(m.Params)
	case "shutdown":
		s.stop()
	default:
		if len(m.ID) > 0 {
			return nil, fmt.Errorf("%s is not known", m.Method)
		}
	}
	return nil, nil
}
