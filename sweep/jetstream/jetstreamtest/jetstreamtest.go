// Package jetstreamtest makes what tests of nodes need: certificates, and ports.
package jetstreamtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	randv2 "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Files are the names of files: of a certificate for loopback, of its key, and of the certificate of who has signed it.
type Files struct{ Cert, Key, CA string }

// Certificates makes an authority, and a certificate that it has signed.
func Certificates(t testing.TB) Files {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, kind string, der []byte) string {
		name = filepath.Join(dir, name)
		must(os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
		return name
	}
	begin, end := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	authority := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true,
		NotBefore: begin, NotAfter: end, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	authorityDER, err := x509.CreateCertificate(rand.Reader, authority, authority, &authorityKey.PublicKey, authorityKey)
	must(err)
	own := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "node"}, NotBefore: begin,
		NotAfter: end, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	der, err := x509.CreateCertificate(rand.Reader, own, authority, &key.PublicKey, authorityKey)
	must(err)
	keyDER, err := x509.MarshalECPrivateKey(key)
	must(err)
	return Files{Cert: write("node.pem", "CERTIFICATE", der), Key: write("node.key", "EC PRIVATE KEY", keyDER),
		CA: write("ca.pem", "CERTIFICATE", authorityDER)}
}

// Addresses returns addresses on loopback that nobody listens at, outside of the range of ports that systems give to
// clients.
func Addresses(t testing.TB, n int) (all []string) {
	t.Helper()
	for len(all) < n {
		address := fmt.Sprint("127.0.0.1:", 15000+randv2.IntN(15000))
		l, err := net.Listen("tcp", address)
		if err != nil {
			continue
		}
		defer l.Close()
		all = append(all, address)
	}
	return all
}
