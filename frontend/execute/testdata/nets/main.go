// Command nets uses network packages in memory.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/textproto"
	"strings"
)

type handler struct{ n int }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.n++
	w.Header().Set("X-Count", fmt.Sprint(h.n))
	if r.URL.Path == "/missing" {
		http.NotFound(w, r)
		return
	}
	b, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s %q", r.Method, r.URL.Path, r.FormValue("q"), b)
}

func main() {
	a, b := net.Pipe()
	go func() {
		a.Write([]byte("ping\n"))
		a.Close()
	}()
	line, err := bufio.NewReader(b).ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	mux := http.NewServeMux()
	mux.Handle("/", &handler{})
	for _, path := range []string{"/x?q=1", "/missing"} {
		rec := httptest.NewRecorder()
		mux.ServeHTTP(rec, httptest.NewRequest("POST", path, strings.NewReader("body")))
		fmt.Println(rec.Code, rec.Header().Get("X-Count"), strings.TrimSpace(rec.Body.String()))
	}
	ip, err := netip.ParseAddr("10.1.2.3")
	fmt.Println(ip, err, ip.Is4(), net.ParseIP("::1"), netip.MustParsePrefix("10.0.0.0/8").Contains(ip))
	host, port, err := net.SplitHostPort("a:80")
	fmt.Println(host, port, err, textproto.CanonicalMIMEHeaderKey("content-type"), http.StatusText(404))
	req, err := http.NewRequest("GET", "http://x/y", nil)
	fmt.Println(req.URL, err)
}
