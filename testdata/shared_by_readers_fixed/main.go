// Command shared_by_readers has a document that many read at a time, under a read lock: they
// copy it, encode it, compute sums of it, and look at it by reflection.
package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"hash/maphash"
	"io"
	"os"
	"reflect"
	"strings"
	"sync"
)

// Meta is what is known of a document.
type Meta struct {
	Author string
	Pages  int64
}

// Document has a text, a title and more.
type Document struct {
	mu    sync.RWMutex
	text  []byte
	title strings.Builder
	meta  Meta
}

// Replace replaces all of it.
func (d *Document) Replace(text, title string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.text = []byte(text)
	d.title.Reset()
	d.title.WriteString(title)
	d.meta = Meta{title, int64(len(text))}
}

// Sums returns sums of the text, beside the title.
func (d *Document) Sums(seed maphash.Seed) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return fmt.Sprint(crc32.ChecksumIEEE(d.text), sha256.Sum256(d.text), maphash.Bytes(seed, d.text), d.title.String())
}

// Encode returns the text and what is known of it, encoded.
func (d *Document) Encode() []byte {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var to bytes.Buffer
	binary.Write(&to, binary.LittleEndian, d.meta.Pages)
	text := make([]byte, len(d.text))
	copy(text, d.text)
	meta, _ := json.Marshal(&d.meta)
	to.Write(meta)
	return append(to.Bytes(), text...)
}

// Send writes the text to a file.
func (d *Document) Send(to *os.File) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if bytes.Contains(d.text, []byte("secret")) {
		return io.EOF
	}
	_, err := to.Write(d.text)
	return err
}

// Fields returns what is known of the document, whatever it is.
func (d *Document) Fields() (all []string) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	v := reflect.ValueOf(&d.meta).Elem()
	for i := range v.NumField() {
		all = append(all, fmt.Sprint(v.Type().Field(i).Name, v.Field(i).Interface(), len(d.text)))
	}
	return all
}

// Masked returns the text under a mask.
func (d *Document) Masked(key []byte) string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	masked := make([]byte, len(d.text))
	subtle.XORBytes(masked, d.text, key)
	return string(masked) + d.title.String()
}

func main() {
	d := &Document{text: []byte("text")}
	var all sync.WaitGroup
	all.Go(func() { d.Replace("a text", "title") })
	all.Go(func() { d.Sums(maphash.MakeSeed()) })
	all.Go(func() { d.Encode() })
	all.Go(func() { d.Send(os.Stderr) })
	all.Go(func() { d.Fields() })
	all.Go(func() { d.Masked([]byte("key")) })
	all.Wait()
	fmt.Println(len(d.Fields()))
}
