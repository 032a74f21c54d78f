package knowledge

// timeAndEnds is what has to do with time, what runs later, and what ends the program or
// the goroutine.
var timeAndEnds = table{
	"os": {"Exit": {Ends: ProgramEnd}, "File.Read": {Input: true}},
	"runtime": {
		"AddCleanup":   {Flow: FlowCleanup},
		"Goexit":       {Ends: GoroutineEnd},
		"Gosched":      {Time: Yield},
		"KeepAlive":    {Flow: FlowNowhere},
		"SetFinalizer": {Flow: FlowFinalizer},
	},
	"syscall": {"Exit": {Ends: ProgramEnd}},
	"testing": {
		"*.FailNow": {Ends: GoroutineEnd},
		"*.Fatal":   {Ends: GoroutineEnd},
		"*.Fatalf":  {Ends: GoroutineEnd},
		"*.Skip":    {Ends: GoroutineEnd},
		"*.SkipNow": {Ends: GoroutineEnd},
		"*.Skipf":   {Ends: GoroutineEnd},

		"B.Run":          {Wraps: true},
		"B.RunParallel":  {Wraps: true, Parallel: true},
		"T.Run":          {Wraps: true},
		"TB.Log":         {Output: ToStandard},
		"TB.Logf":        {Output: ToStandard},
		"common.Cleanup": {Wraps: true},
		"common.Log":     {Output: ToStandard},
		"common.Logf":    {Output: ToStandard},

		// Of the model that takes the place of the package: see frontend/harness.
		"ModelFinish":        {Wraps: true},
		"ModelFinishB":       {Wraps: true},
		"ModelFinishF":       {Wraps: true},
		"ModelFinishT":       {Wraps: true},
		"T.modelRun":         {Wraps: true},
		"T.modelRunParallel": {Wraps: true},
	},
	"time": {
		"After": {Time: After},
		"AfterFunc": {Time: StartTimer, Starts: []Callback{{Argument: 1, AgainBy: "(*time.Timer).Reset"}},
			Evidence: "time.AfterFunc: runs f in its own goroutine after the duration, and again after each Reset"},
		"NewTimer": {Time: NewTimer},
		"Now":      {Time: Now, Pure: true},
		"Since":    {Time: Since, Pure: true},
		"Sleep":    {Time: Sleep},
		"Until":    {Time: Until, Pure: true},
		"newTimer": {Flow: FlowTimer},

		"Duration.Milliseconds": {Pure: true},
		"Duration.Seconds":      {Pure: true},
		"Time.Add":              {Pure: true},
		"Time.After":            {Pure: true},
		"Time.Before":           {Pure: true},
		"Time.Compare":          {Pure: true},
		"Time.Equal":            {Pure: true},
		"Time.IsZero":           {Pure: true},
		"Time.Sub":              {Pure: true},
		"Time.Unix":             {Pure: true},
		"Time.UnixNano":         {Pure: true},
	},
}

// contexts is package context.
var contexts = table{
	"context": {
		"AfterFunc": {Starts: []Callback{{Argument: 1}},
			Evidence: "context.AfterFunc: runs f in its own goroutine after the context is done, at most once"},
		"Background": {Makes: NoDeadline},
		"Cause":      {Makes: DoneError},
		"TODO":       {Makes: NoDeadline},
		"WithCancel": {Makes: CancelContext, Wraps: true},
		"withCancel": {Makes: cancelledInside, Wraps: true},
	},
}

// inputs is what blocks until input comes, besides what formats and scans.
var inputs = table{
	"bufio": {
		"Reader.Read":       {Input: true},
		"Reader.ReadByte":   {Input: true},
		"Reader.ReadBytes":  {Input: true},
		"Reader.ReadLine":   {Input: true},
		"Reader.ReadRune":   {Input: true},
		"Reader.ReadSlice":  {Input: true},
		"Reader.ReadString": {Input: true},
		"Scanner.Scan":      {Input: true},
	},
	"encoding/binary": {"Read": {Input: true}},
	"io": {
		"ReadAll":     {Input: true},
		"ReadAtLeast": {Input: true},
		"ReadFull":    {Input: true},
		"Reader.Read": {Input: true},
	},
	"net": {
		"Conn.Read":               {Input: true},
		"Listener.Accept":         {Input: true},
		"PacketConn.ReadFrom":     {Input: true},
		"TCPListener.Accept":      {Input: true},
		"TCPListener.AcceptTCP":   {Input: true},
		"UDPConn.ReadFrom":        {Input: true},
		"UDPConn.ReadFromUDP":     {Input: true},
		"UnixListener.Accept":     {Input: true},
		"UnixListener.AcceptUnix": {Input: true},
		"conn.Read":               {Input: true}, // of a TCPConn, UDPConn and UnixConn
	},
	"net/http": {
		"ReadRequest":  {Input: true},
		"ReadResponse": {Input: true},
	},
}
