// Command text uses packages that work on text in memory.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"html"
	"io"
	"mime"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

func main() {
	fmt.Println(strings.Title("ab cd"), strings.Map(unicode.ToUpper, "xyz"), strings.FieldsFunc("a1b2c", unicode.IsDigit),
		strings.NewReplacer("a", "1", "b", "2").Replace("abc"), strings.SplitN("a,b,c", ",", 2), strings.TrimFunc("  x ", unicode.IsSpace),
		strings.EqualFold("Go", "GO"), strings.ToValidUTF8("a\xffb", "?"), utf8.RuneCountInString("héé"))
	fmt.Println(bytes.Fields([]byte(" a b ")), bytes.ToUpper([]byte("x")), bytes.Equal([]byte("a"), []byte("a")),
		bytes.Contains([]byte("abc"), []byte("bc")), bytes.TrimSpace([]byte(" x ")))
	s := bufio.NewScanner(strings.NewReader("one two\nthree"))
	s.Split(bufio.ScanWords)
	for s.Scan() {
		fmt.Print(s.Text(), ";")
	}
	r := bufio.NewReader(strings.NewReader("line 1\nline 2"))
	line, err := r.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	rest, err := io.ReadAll(r)
	fmt.Printf("%q %v\n", rest, err)
	fmt.Println(base64.StdEncoding.EncodeToString([]byte("hello")), hex.EncodeToString([]byte{1, 255}))
	b, err := base64.URLEncoding.DecodeString("aGk=")
	fmt.Println(string(b), err)
	var buf bytes.Buffer
	fmt.Println(binary.Write(&buf, binary.BigEndian, struct {
		A uint16
		B int32
	}{1, -2}), buf.Bytes(), binary.LittleEndian.Uint32([]byte{1, 2, 3, 4}))
	rows, err := csv.NewReader(strings.NewReader("a,\"b,c\"\n1,2\n")).ReadAll()
	fmt.Println(rows, err)
	u, err := url.Parse("http://user@host:80/p/a?q=1&r=x%20y#f")
	fmt.Println(u.Host, u.Path, u.Query()["r"], u.Fragment, u, err)
	fmt.Println(html.EscapeString("<a&b>"), path.Join("a", "../b"), filepath.Base("/x/y.z"), filepath.Ext("y.z"))
	re := regexp.MustCompile(`(\w+)@(\w+)\.com`)
	fmt.Println(re.FindStringSubmatch("me bob@example.com x"), re.ReplaceAllString("a@b.com", "$2"), re.MatchString("no"))
	w := tabwriter.NewWriter(&buf, 0, 8, 1, ' ', 0)
	buf.Reset()
	fmt.Fprintln(w, "a\tbbb\tc")
	fmt.Fprintln(w, "aaaa\tb\tc")
	w.Flush()
	fmt.Print(buf.String())
	fmt.Println(mime.TypeByExtension(".html"))
	buf.Reset()
	z := gzip.NewWriter(&buf)
	io.WriteString(z, strings.Repeat("abc", 5))
	fmt.Println(z.Close())
	g, err := gzip.NewReader(&buf)
	out, err2 := io.ReadAll(g)
	fmt.Println(string(out), err, err2)
	pr, pw := io.Pipe()
	go func() {
		fmt.Fprint(pw, "through a pipe")
		pw.Close()
	}()
	all, err := io.ReadAll(pr)
	fmt.Println(string(all), err)
	fmt.Println(io.Copy(io.Discard, io.LimitReader(strings.NewReader("abcdef"), 3)))
}
