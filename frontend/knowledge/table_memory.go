package knowledge

var (
	deepReads  = Effect{Reads: true, Deep: true}
	deepWrites = Effect{Reads: true, Writes: true, Deep: true, Repeats: true} // part by part

	readsRest  = Effect{Reads: true, Rest: true}
	writesRest = Effect{Reads: true, Writes: true, Rest: true}

	propertyReads  = Effect{Reads: true, Atomic: true, First: true}
	propertyWrites = Effect{Writes: true, Atomic: true, First: true}
)

// formats is what formats, encodes, scans and decodes: it reads what its arguments lead
// to, and writes there.
var formats = table{
	"encoding/asn1": {"Unmarshal*": {Effect: deepWrites}},
	"encoding/gob": {
		"Decoder.Decode":      {Effect: deepWrites, Input: true},
		"Decoder.DecodeValue": {Effect: deepWrites, Deep: true, Visits: []string{"decodeGobDecoder"}},
		"Encode*":             {Effect: deepReads},
		"Encoder.EncodeValue": {Effect: deepReads, Deep: true, Visits: []string{"encodeGobEncoder"}},
	},
	"encoding/json": {
		"Decoder.Decode":        {Effect: deepWrites, Input: true},
		"Encode*":               {Effect: deepReads},
		"Marshal*":              {Effect: deepReads},
		"Unmarshal*":            {Effect: deepWrites},
		"decodeState.unmarshal": {Deep: true, Visits: []string{"value"}},
		"encodeState.reflectValue": {Deep: true,
			Visits: []string{"marshalerEncoder", "addrMarshalerEncoder", "textMarshalerEncoder", "addrTextMarshalerEncoder"}},
	},
	"encoding/xml": {
		"Decode*":              {Effect: deepWrites},
		"Decoder.unmarshal":    {Deep: true, Visits: []string{"unmarshal", "unmarshalAttr"}},
		"Encode*":              {Effect: deepReads},
		"Marshal*":             {Effect: deepReads},
		"Unmarshal*":           {Effect: deepWrites},
		"printer.marshalValue": {Deep: true, Visits: []string{"marshalValue", "marshalAttr"}},
	},
	"fmt": {
		"Append*":     {Effect: reads, Forgets: true},
		"Errorf*":     {Effect: reads, Output: ToText, Makes: NewError},
		"Fprint*":     {Effect: readsRest, Output: ToWriter, Forgets: true},
		"Fscan*":      {Effect: writesRest, Input: true},
		"Print*":      {Effect: reads, Output: ToStandard, Forgets: true},
		"Scan*":       {Effect: writes, Input: true},
		"Sprint*":     {Effect: reads, Output: ToText, Forgets: true},
		"Sscan*":      {Effect: writes},
		"pp.printArg": {Visits: []string{"printValue"}},
	},
	"log": {
		"Fatal*":  {Effect: reads, Ends: ProgramEnd},
		"Output*": {Effect: reads},
		"Panic*":  {Effect: reads},
		"Print*":  {Effect: reads, Forgets: true},

		// What changes one of a logger's settings, or tells it.
		"Logger.Flags":     {Effect: propertyReads},
		"Logger.Prefix":    {Effect: propertyReads},
		"Logger.SetFlags":  {Effect: propertyWrites},
		"Logger.SetOutput": {Effect: propertyWrites},
		"Logger.SetPrefix": {Effect: propertyWrites},
		"Logger.Writer":    {Effect: propertyReads},
	},
	"log/slog": {
		"Debug*": {Effect: reads},
		"Error*": {Effect: reads},
		"Info*":  {Effect: reads},
		"Log*":   {Effect: reads},
		"Warn*":  {Effect: reads},
		"With*":  {Effect: reads},
	},
}

var swaps = Effect{Reads: true, Writes: true, First: true, Repeats: true}

// reflections is what works by reflection, and what package runtime and assembly do for
// the library.
var reflections = table{
	"errors": {
		"As":  {Effect: Effect{Reads: true, Writes: true, Second: true}},
		"Is":  {Pure: true},
		"New": {Makes: NewError},
	},
	"internal/abi": {
		"Escape":   {Flow: FlowReturn},
		"NoEscape": {Flow: FlowReturn},
		"TypeOf":   {Audited: true, Evidence: "internal/abi/type.go: an EmptyInterface is what an interface is"},
	},
	"internal/reflectlite": {
		"Swapper":    {Effect: swaps},
		"TypeOf":     {Flow: FlowNowhere},
		"Value.Elem": {Flow: FlowPointer},
		"Value.Set":  {Flow: FlowSet},
		"ValueOf":    {Flow: FlowBox},
	},
	"maps": {"Clone": {Makes: NewCopy}, "Collect": {Makes: NewCopy}, "Equal": {Pure: true}, "clone": {Flow: FlowCloneMap}},
	"reflect": {
		"DeepEqual":          {Effect: deepReads},
		"Select":             {Channel: true},
		"Swapper":            {Effect: swaps},
		"TypeAssert":         {Flow: FlowAssert},
		"TypeOf":             {Flow: FlowNowhere},
		"Value.Addr":         {Flow: FlowAddress},
		"Value.Call":         {Flow: FlowCall},
		"Value.CallSlice":    {Flow: FlowCall},
		"Value.Close":        {Channel: true},
		"Value.Interface":    {Flow: FlowUnbox},
		"Value.Kind":         {Pure: true},
		"Value.Method":       {Flow: FlowMethods},
		"Value.MethodByName": {Flow: FlowMethods},
		"Value.Recv":         {Channel: true},
		"Value.Send":         {Channel: true},
		"Value.TryRecv":      {Channel: true},
		"Value.TrySend":      {Channel: true},
		"ValueOf":            {Flow: FlowBox},
	},
	"sort": {"Slice": {Effect: swaps}, "SliceStable": {Effect: swaps}},
	"weak": {
		"runtime_makeStrongFromWeak":  {Flow: FlowReturn},
		"runtime_registerWeakPointer": {Flow: FlowReturn},
	},
}

// computations is functions that compute, or copy what they are handed.
var computations = table{
	"bytes": {"Clone": {Makes: NewCopy}},
	"slices": {
		"Clone":    {Makes: NewCopy},
		"Collect":  {Makes: NewCopy},
		"Concat":   {Makes: NewCopy},
		"Contains": {Pure: true},
		"Equal":    {Pure: true},
		"Index":    {Pure: true},
		"Repeat":   {Makes: NewCopy},
		"Sorted":   {Makes: NewCopy},
	},
}
