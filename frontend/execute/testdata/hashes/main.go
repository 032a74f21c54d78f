// Command hashes computes sums.
package main

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"hash/crc64"
	"hash/fnv"
	"hash/maphash"
)

func main() {
	data := []byte("some data to be summed, longer than a block of sixty-four bytes is, so that blocks count")
	h := fnv.New64a()
	h.Write(data)
	fmt.Println(h.Sum64(), crc32.ChecksumIEEE(data), adler32.Checksum(data))
	fmt.Println(crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)), crc64.Checksum(data, crc64.MakeTable(crc64.ISO)))
	fmt.Printf("%x\n%x\n%x\n%x\n", md5.Sum(data), sha1.Sum(data), sha256.Sum256(data), sha512.Sum512(data[:10]))
	m := hmac.New(sha256.New, []byte("key"))
	m.Write(data)
	fmt.Printf("%x\n", m.Sum(nil))
	fmt.Println(subtle.ConstantTimeCompare([]byte("a"), []byte("a")))
	seed := maphash.MakeSeed()
	fmt.Println(maphash.String(seed, "x") == maphash.Bytes(seed, []byte("x")), maphash.Comparable(seed, 5) == maphash.Comparable(seed, 5))
	var mh maphash.Hash
	mh.WriteString("abc")
	first := mh.Sum64()
	mh.Reset()
	mh.WriteString("abc")
	fmt.Println(first == mh.Sum64())
}
