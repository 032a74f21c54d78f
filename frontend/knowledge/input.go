package knowledge

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// inputs is the functions and methods of the standard library that block until
// input comes, by ssa.Function.String; those of interfaces are named like
// (net.Conn).Read.
var inputs = set(
	"(net.Listener).Accept", "(*net.TCPListener).Accept", "(*net.TCPListener).AcceptTCP", "(*net.UnixListener).Accept", "(*net.UnixListener).AcceptUnix",
	"(net.Conn).Read", "(*net.TCPConn).Read", "(*net.UDPConn).Read", "(*net.UDPConn).ReadFrom", "(*net.UDPConn).ReadFromUDP", "(*net.UnixConn).Read",
	"(net.PacketConn).ReadFrom", "(io.Reader).Read", "(*os.File).Read", "io.ReadFull", "io.ReadAtLeast", "io.ReadAll",
	"(*bufio.Reader).Read", "(*bufio.Reader).ReadByte", "(*bufio.Reader).ReadBytes", "(*bufio.Reader).ReadLine", "(*bufio.Reader).ReadRune",
	"(*bufio.Reader).ReadString", "(*bufio.Reader).ReadSlice", "(*bufio.Scanner).Scan",
	"net/http.ReadRequest", "net/http.ReadResponse", "(*encoding/json.Decoder).Decode", "(*encoding/gob.Decoder).Decode",
	"encoding/binary.Read", "fmt.Scan", "fmt.Scanf", "fmt.Scanln", "fmt.Fscan", "fmt.Fscanf", "fmt.Fscanln",
)

// set returns the names as a set.
func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all
}

// WaitsForInput tells whether the call is one of a function that blocks until input
// comes.
func WaitsForInput(call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		return inputs[call.Method.FullName()]
	}
	callee := call.StaticCallee()
	return callee != nil && inputs[strings.TrimSuffix(Name(callee), "$bound")]
}
