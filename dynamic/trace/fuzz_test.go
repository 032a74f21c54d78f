package trace

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// FuzzReader: whatever the file is, the reader ends, and what it yields is in order.
func FuzzReader(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 5))
	f.Add(file(&testing.T{}, r, run(r, 3, 20)), false)
	f.Add([]byte("\x01\x01...any records, of goroutines that their first byte names......"), true)
	f.Fuzz(func(t *testing.T, data []byte, sealed bool) {
		if sealed {
			data = seal(data)
		}
		reader, err := NewReader(bytes.NewReader(data))
		if err != nil {
			return
		}
		versions := map[uint32]uint64{}
		for {
			e, err := reader.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Op.Versioned() {
				if e.Arg != versions[e.Object] {
					t.Fatalf("object %d has version %d, not %d", e.Object, e.Arg, versions[e.Object])
				}
				versions[e.Object]++
			}
		}
	})
}

// seal makes a file of records, each behind the number of its goroutine.
func seal(data []byte) []byte {
	var out bytes.Buffer
	w, _ := NewWriter(&out, &Header{})
	for ; len(data) > RecordSize; data = data[RecordSize+1:] {
		r := GetRecord(data[1:])
		r.Op %= opEnd + 1
		r.Object %= 1 << 12
		r.Arg %= 16
		w.Append(uint32(data[0]%8), r)
	}
	w.Close()
	return out.Bytes()
}
