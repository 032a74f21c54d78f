// Command lock_in_writer guards what was drawn last by the lock of the output. All that
// libraries do to pack pictures and files leads to the output.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"sync"
)

var mu sync.Mutex // guards the output, and the last picture

// Last is the last picture.
type Last struct {
	name string
	size int
}

func (l *Last) set(name string) {
	mu.Lock()
	l.name = name
	mu.Unlock()
	mu.Lock() // the name is there to be seen with the size of the one before
	l.size = len(name)
	mu.Unlock()
}

func (l *Last) get() (string, int) {
	mu.Lock()
	defer mu.Unlock()
	name := l.name
	size := l.size
	return name, size
}

// output is where everything goes.
type output struct{ to *bytes.Buffer }

func (o output) Write(data []byte) (int, error) {
	mu.Lock()
	defer mu.Unlock()
	return o.to.Write(data)
}

func pack(out io.Writer, name string, draw func(io.Writer, image.Image) error) error {
	archive := zip.NewWriter(out)
	defer archive.Close()
	file, err := archive.Create(name)
	if err != nil {
		return err
	}
	files := tar.NewWriter(gzip.NewWriter(file))
	defer files.Close()
	return draw(files, image.NewRGBA(image.Rect(0, 0, 1, 1)))
}

func main() {
	last, out := &Last{}, output{&bytes.Buffer{}}
	var wg sync.WaitGroup
	for name, draw := range map[string]func(io.Writer, image.Image) error{
		"a.png":  png.Encode,
		"a.jpeg": func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) },
		"a.gif":  func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) },
	} {
		wg.Go(func() {
			pack(out, name, draw)
			last.set(name)
		})
	}
	if name, size := last.get(); size != len(name) && size > 0 {
		println("another size")
	}
	wg.Wait()
}
