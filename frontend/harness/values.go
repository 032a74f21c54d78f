package harness

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/empire-go/empire-go/frontend/knowledge"
	"github.com/empire-go/empire-go/frontend/load"
)

// valueWriter writes expressions for arbitrary values of given types. A value with
// pointers is made anew where it is used, so that what it leads to is memory that
// the analysis sees, and not nil.
type valueWriter struct {
	loaded       *load.Program
	object       types.Type
	packages     []*types.Package
	imports      map[*types.Package]string // the names that they are imported by
	importOrder  []*types.Package
	declarations strings.Builder
	declared     map[string]bool
	providers    map[string]string      // calls that make values of types: see provided
	offers       func(*types.Func) bool // see isOffered
	making       map[string]bool        // types whose values are being made by functions
	makers       map[string]*types.Func // that the user has named, by type
	variables    int

	calledBack *callBacks // who calls the functions that are handed over
	operates   bool       // what is written is an operation of clients, which can have been called back
	again      bool       // a function that is handed over calls the operations of clients
	reenters   bool       // see ClientConfig.Reenter
	apart      []string   // functions of the library that call one whose work is a unit of its own
	locked     []string   // those that call one with a lock held
	still      []string   // what is handed over and does nothing to the object, though it is called
}

// maxDepth bounds how deep values are filled with values.
const maxDepth = 3

// importLines returns the import declarations.
func (v *valueWriter) importLines() string {
	var b strings.Builder
	for _, pkg := range v.importOrder {
		fmt.Fprintf(&b, "import %s %q\n", v.imports[pkg], pkg.Path())
	}
	return b.String()
}

// qualify returns the name that a package is imported by.
func (v *valueWriter) qualify(pkg *types.Package) string {
	name, ok := v.imports[pkg]
	if !ok {
		name = fmt.Sprintf("p%d", len(v.imports))
		v.imports[pkg] = name
		v.importOrder = append(v.importOrder, pkg)
	}
	return name
}

// typeName writes a type that isNameable.
func (v *valueWriter) typeName(t types.Type) string { return types.TypeString(t, v.qualify) }

// asName makes part of a name of a type.
var asName = strings.NewReplacer(".", "_", "[", "_", "]", "_", ",", "_", " ", "_", "*", "_", "/", "_")

// isNameable tells whether another package can write the type.
func isNameable(t types.Type) bool {
	if alias, ok := t.(*types.Alias); ok && alias.Obj().Pkg() != nil && !alias.Obj().Exported() {
		return false // it is written by that name
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if !isNameable(t.TypeArgs().At(i)) {
				return false
			}
		}
		if t.Obj().Pkg() == nil {
			return true
		}
		return t.Obj().Exported() && t.Obj().Parent() == t.Obj().Pkg().Scope()
	case *types.Pointer:
		return isNameable(t.Elem())
	case *types.Slice:
		return isNameable(t.Elem())
	case *types.Array:
		return isNameable(t.Elem())
	case *types.Chan:
		return isNameable(t.Elem())
	case *types.Map:
		return isNameable(t.Key()) && isNameable(t.Elem())
	case *types.Signature:
		return t.TypeParams().Len() == 0 && areNameable(t.Params()) && areNameable(t.Results())
	case *types.Struct:
		for f := range t.Fields() {
			if !f.Exported() || !isNameable(f.Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		for m := range t.Methods() {
			if !m.Exported() || !isNameable(m.Type()) {
				return false
			}
		}
		return t.NumEmbeddeds() == 0
	}
	return false
}

func areNameable(t *types.Tuple) bool {
	for p := range t.Variables() {
		if !isNameable(p.Type()) {
			return false
		}
	}
	return true
}

// declare adds a declaration to the file.
func (v *valueWriter) declare(name, text string) {
	v.declared[name] = true
	v.declarations.WriteString(text)
}

// fresh returns a new name.
func (v *valueWriter) fresh(prefix string) string {
	v.variables++
	return fmt.Sprintf("%s%d", prefix, v.variables)
}

// call writes the statements that make the arguments of a call, and returns the
// call. The objects can be arguments.
func (v *valueWriter) call(b *strings.Builder, prefix string, fn *types.Func, s *types.Signature, objects []string) (
	string, bool) {
	if prefix == "" {
		prefix = v.qualify(fn.Pkg()) + "."
	}
	name := prefix + fn.Name()
	if args, ok := typeArguments(fn, v.object); ok && len(args) > 0 && fn.Signature().Recv() == nil {
		var names []string
		for _, t := range args {
			names = append(names, v.typeName(t))
		}
		name += "[" + strings.Join(names, ", ") + "]"
	}
	var args []string
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
		arg, ok := v.value(b, t, objects, maxDepth)
		if !ok {
			return "", false
		}
		args = append(args, arg)
	}
	return name + "(" + strings.Join(args, ", ") + ")", true
}

// value writes the statements that make an arbitrary value of type t, and returns an
// expression for it; ok is false if there is none.
func (v *valueWriter) value(b *strings.Builder, t types.Type, objects []string, depth int) (string, bool) {
	if len(objects) > 0 && types.Identical(t, types.NewPointer(v.object)) {
		return v.oneOf(b, objects), true
	}
	if len(objects) > 0 && types.Identical(t, v.object) {
		return "*" + v.oneOf(b, objects), true
	}
	if made, ok := v.stated(b, t); ok {
		return made, true
	}
	if made, ok := v.provided(b, t, depth); ok {
		return made, true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return v.basic(t, u)
	case *types.Signature:
		return v.function(b, t, u, depth)
	case *types.Interface:
		return v.implementation(b, t, u, objects, depth)
	}
	switch {
	case isNillable(t) && (!isNameable(t) || depth <= 0 || v.variables > maxVariables):
		return "nil", true
	case !isNameable(t):
		return "", false
	case depth <= 0 || v.variables > maxVariables:
		return "*new(" + v.typeName(t) + ")", true
	}
	name := v.fresh("v")
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		fmt.Fprintf(b, "%s := new(%s)\n", name, v.typeName(u.Elem()))
		v.fill(b, name, u.Elem(), depth)
	case *types.Struct:
		fmt.Fprintf(b, "var %s %s\n", name, v.typeName(t))
		v.fill(b, name, t, depth)
	case *types.Array:
		fmt.Fprintf(b, "var %s %s\n", name, v.typeName(t))
		if element, ok := v.value(b, u.Elem(), nil, depth-1); ok && u.Len() > 0 {
			fmt.Fprintf(b, "%s[0] = %s\n", name, element)
		}
	case *types.Slice:
		fmt.Fprintf(b, "%s := make(%s, 1)\n", name, v.typeName(t))
		if element, ok := v.value(b, u.Elem(), objects, depth-1); ok {
			fmt.Fprintf(b, "%s[0] = %s\n", name, element)
		}
	case *types.Map:
		fmt.Fprintf(b, "%s := make(%s)\n", name, v.typeName(t))
		key, ok := v.value(b, u.Key(), nil, depth-1)
		if element, also := v.value(b, u.Elem(), nil, depth-1); ok && also {
			fmt.Fprintf(b, "%s[%s] = %s\n", name, key, element)
		}
	case *types.Chan:
		fmt.Fprintf(b, "%s := make(chan %s, 1)\n", name, v.typeName(u.Elem()))
	default:
		return "", false
	}
	return name, true
}

// isNillable tells whether nil is a value of the type.
func isNillable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	}
	return false
}

// oneOf returns a variable that is one of the objects.
func (v *valueWriter) oneOf(b *strings.Builder, objects []string) string {
	if len(objects) == 1 {
		return objects[0]
	}
	name := v.fresh("o")
	fmt.Fprintf(b, "%s := %s\nif pick > 0 {\n%s = %s\n}\n", name, objects[0], name, objects[1])
	return name
}

// basic returns a number, string or boolean that the analysis knows nothing of.
func (v *valueWriter) basic(t types.Type, u *types.Basic) (string, bool) {
	if u.Kind() == types.UnsafePointer {
		return "nil", true
	}
	if !isNameable(t) { // a constant converts to it
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "true", true
		case u.Info()&types.IsString != 0:
			return `"a"`, true
		}
		return "1", true
	}
	name := "any_" + asName.Replace(v.typeName(t))
	if !v.declared[name] {
		v.declare(name, fmt.Sprintf("var %s %s\n\n", name, v.typeName(t)))
	}
	return name, true
}

// fill gives the exported fields of a struct values.
func (v *valueWriter) fill(b *strings.Builder, name string, t types.Type, depth int) {
	structure, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range structure.Fields() {
		if !f.Exported() || isFromSync(f.Type()) {
			continue
		}
		if _, isBasic := f.Type().Underlying().(*types.Basic); isBasic {
			continue
		}
		if value, ok := v.value(b, f.Type(), nil, depth-1); ok && value != "nil" {
			fmt.Fprintf(b, "%s.%s = %s\n", name, f.Name(), value)
		}
	}
}

// provided makes a value of a type of the library by the exported functions that
// return one: options are made so. Structs that have such functions are too. A function
// of the client does it for all uses, if it can have the type as its result: handlers
// can be made in many ways, and are taken in many places.
func (v *valueWriter) provided(b *strings.Builder, t types.Type, depth int) (string, bool) {
	named := namedOf(t)
	if named == nil || depth <= 1 || !slices.Contains(v.packages, named.Obj().Pkg()) || v.isObject(named) {
		return "", false
	}
	if _, isBasic := named.Underlying().(*types.Basic); isBasic {
		return "", false
	}
	key := types.TypeString(t, nil)
	if v.making[key] {
		return "", false // a function that takes what it returns
	}
	if provider, ok := v.providers[key]; ok {
		return provider, provider != ""
	}
	v.making[key] = true
	defer delete(v.making, key)
	defer v.outside()()
	if !isNameable(t) {
		return v.alternatives(b, t, named.Obj().Pkg())
	}
	var body strings.Builder
	name, ok := v.alternatives(&body, t, named.Obj().Pkg())
	v.providers[key] = ""
	if ok {
		provider := v.fresh("make")
		v.providers[key] = provider + "()"
		v.declare(provider, fmt.Sprintf("func %s() %s {\n%sreturn %s\n}\n\n", provider, v.typeName(t), body.String(), name))
	}
	return v.providers[key], ok
}

// alternatives writes the calls of the exported functions of a package that return the type, and, of the type of a
// function, those that are of it themselves. It returns the variable that has one of them; ok is false if there are
// none.
func (v *valueWriter) alternatives(b *strings.Builder, t types.Type, pkg *types.Package) (name string, ok bool) {
	name, count := v.fresh("v"), 0
	add := func(statements, list, value string) {
		if count == 0 {
			fmt.Fprintf(b, "%s%s := %s\n", statements, list, value)
		} else {
			fmt.Fprintf(b, "if pick > %d {\n%s%s = %s\n}\n", count, statements, list, value)
		}
		count++
	}
	for _, fn := range exportedFunctions(v.loaded, []*types.Package{pkg}) {
		s := fn.Signature()
		if s.TypeParams().Len() > 0 {
			continue
		}
		if isOfType(fn, t) {
			add("", name, v.qualify(pkg)+"."+fn.Name())
		}
		if s.Results().Len() == 0 || !types.Identical(s.Results().At(0).Type(), t) {
			continue
		}
		var statements strings.Builder
		call, ok := v.call(&statements, "", fn, s, nil)
		if !ok || v.variables > maxVariables {
			continue
		}
		add(statements.String(), resultList(s.Results().Len(), 0, name), call)
	}
	return name, count > 0
}

// maxVariables bounds the size of a client.
const maxVariables = 20000

// namedOf returns the named type that t is or points to.
func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// function writes a function literal.
func (v *valueWriter) function(b *strings.Builder, t types.Type, s *types.Signature, depth int) (string, bool) {
	if !areNameable(s.Params()) || !areNameable(s.Results()) || depth < 0 { // the end of types that lead to themselves
		return "nil", true
	}
	var params, results []string
	for i := range s.Params().Len() {
		p := s.Params().At(i).Type()
		name := v.typeName(p)
		if s.Variadic() && i == s.Params().Len()-1 {
			name = "..." + v.typeName(p.(*types.Slice).Elem())
		}
		params = append(params, "_ "+name)
	}
	var body strings.Builder
	var returned []string
	for r := range s.Results().Variables() {
		value, ok := v.value(&body, r.Type(), nil, min(depth-1, 1))
		if !ok {
			return "nil", true
		}
		returned, results = append(returned, value), append(results, v.typeName(r.Type()))
	}
	v.callBack(&body, s)
	name := v.fresh("f")
	fmt.Fprintf(b, "%s := func(%s) (%s) {\n%sreturn %s\n}\n", name, strings.Join(params, ", "),
		strings.Join(results, ", "), body.String(), strings.Join(returned, ", "))
	return name, true
}

// outside is for what is written in functions of their own: those that are handed over there do not
// see the object. It returns what ends that.
func (v *valueWriter) outside() func() {
	operates := v.operates
	v.operates = false
	return func() { v.operates = operates }
}

// again is the function of a client that does one of the things that clients do.
const again = "again"

// callBack writes what a function that is handed over does: anything that clients do, if that
// belongs to the unit of work that calls it.
func (v *valueWriter) callBack(body *strings.Builder, s *types.Signature) {
	if v.calledBack == nil {
		return
	}
	switch b, in := v.calledBack.bondOf(s); {
	case b == notCalled:
	case v.reenters && v.operates:
		v.doAgain(body)
	case b == locked:
		v.locked = append(v.locked, in...)
	case b == apart:
		v.apart = append(v.apart, in...)
	case !v.operates:
		v.still = append(v.still, types.TypeString(s, func(p *types.Package) string { return p.Name() }))
	default:
		v.doAgain(body)
	}
}

// doAgain lets the function whose body is written do what clients do.
func (v *valueWriter) doAgain(body *strings.Builder) {
	v.again = true
	text := body.String()
	body.Reset()
	fmt.Fprintf(body, "if pick > 0 {\n%s()\n}\n%s", again, text)
}

// implementation writes a value of an interface type: one of the objects where they
// implement it and the library declares it, else a type of the client's own whose
// methods do nothing.
func (v *valueWriter) implementation(b *strings.Builder, t types.Type, i *types.Interface, objects []string,
	depth int) (string, bool) {
	named, _ := types.Unalias(t).(*types.Named)
	if len(objects) > 0 && i.NumMethods() > 0 && named != nil && slices.Contains(v.packages, named.Obj().Pkg()) &&
		types.Implements(types.NewPointer(v.object), i) {
		return v.oneOf(b, objects), true
	}
	if i.NumMethods() == 0 {
		return "any(new(struct{ _ *int }))", true
	}
	if named == nil || !isNameable(t) {
		return "nil", true
	}
	stub := knowledge.StubPrefix + asName.Replace(v.typeName(t))
	if v.declared[stub] {
		return "new(" + stub + ")", true
	}
	var methods strings.Builder
	for m := range i.Methods() {
		s := m.Signature()
		if !m.Exported() || !areNameable(s.Params()) || !areNameable(s.Results()) {
			return "nil", true
		}
	}
	defer v.outside()()
	v.declare(stub, fmt.Sprintf("type %s struct{ _ int }\n\n", stub))
	if slices.Contains(v.packages, named.Obj().Pkg()) {
		v.still = append(v.still, named.Obj().Name())
	}
	for m := range i.Methods() {
		s := m.Signature()
		var body strings.Builder
		var returned []string
		for r := range s.Results().Variables() {
			value, ok := v.value(&body, r.Type(), nil, min(depth-1, 1))
			if !ok {
				value = "nil"
			}
			returned = append(returned, value)
		}
		fmt.Fprintf(&methods, "func (*%s) %s%s {\n%sreturn %s\n}\n\n", stub, m.Name(),
			strings.TrimPrefix(v.typeName(unnamed(s)), "func"), body.String(), strings.Join(returned, ", "))
	}
	v.declarations.WriteString(methods.String())
	return "new(" + stub + ")", true
}

// unnamed returns the signature without names of parameters and receiver, so that
// they hide nothing.
func unnamed(s *types.Signature) *types.Signature {
	plain := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, plain(s.Params()), plain(s.Results()), s.Variadic())
}

// interfaceOf writes an interface with the operation's method alone.
func (v *valueWriter) interfaceOf(o operation) (string, bool) {
	if !areNameable(o.sig.Params()) || !areNameable(o.sig.Results()) {
		return "", false
	}
	return "interface{ " + o.name + strings.TrimPrefix(v.typeName(unnamed(o.sig)), "func") + " }", true
}

// drive writes the call, and calls what it returns: functions (an iterator is one)
// and the methods of other types of the library.
func (v *valueWriter) drive(b *strings.Builder, call string, s *types.Signature) {
	names := slices.Repeat([]string{"_"}, s.Results().Len())
	var after strings.Builder
	for i := range s.Results().Len() {
		t := s.Results().At(i).Type()
		name := v.fresh("r")
		var one strings.Builder
		if f, ok := t.Underlying().(*types.Signature); ok {
			v.driveFunction(&one, name, f)
			if endsContext(t) {
				one.WriteString(end("", name, t))
			}
		} else if v.isDriven(t) {
			v.driveMethods(&one, name, t)
		}
		if one.Len() > 0 {
			names[i] = name
			after.WriteString(one.String())
		}
	}
	if after.Len() == 0 {
		fmt.Fprintf(b, "%s\n", call)
		return
	}
	fmt.Fprintf(b, "%s := %s\n%s", strings.Join(names, ", "), call, after.String())
}

// driveFunction writes calls of a returned function.
func (v *valueWriter) driveFunction(b *strings.Builder, name string, s *types.Signature) {
	var body strings.Builder
	var args []string
	for i := range s.Params().Len() {
		t := s.Params().At(i).Type()
		if s.Variadic() && i == s.Params().Len()-1 {
			t = t.(*types.Slice).Elem()
		}
		arg, ok := v.value(&body, t, nil, maxDepth-1)
		if !ok {
			return
		}
		args = append(args, arg)
	}
	fmt.Fprintf(b, "for pick > 0 {\n%s%s(%s)\n}\n", body.String(), name, strings.Join(args, ", "))
}

// isDriven tells whether values of the type are another part of the library, through
// which the object may be reached.
func (v *valueWriter) isDriven(t types.Type) bool {
	named := namedOf(t)
	return named != nil && slices.Contains(v.packages, named.Obj().Pkg()) && !v.isObject(named)
}

// isObject tells whether the type is that of the object, if there is one.
func (v *valueWriter) isObject(named *types.Named) bool {
	return v.object != nil && namedOf(v.object).Obj() == named.Obj()
}

// driveMethods writes calls of the methods of a returned value, in any order.
func (v *valueWriter) driveMethods(b *strings.Builder, name string, t types.Type) {
	var cases strings.Builder
	count := 0
	for _, m := range callable(t) {
		var one strings.Builder
		if !v.offers(m.Obj().(*types.Func)) {
			continue
		}
		if call, ok := v.call(&one, name+".", m.Obj().(*types.Func), m.Type().(*types.Signature), nil); ok {
			fmt.Fprintf(&cases, "case %d:\n%s%s\n", count, one.String(), call)
			count++
		}
	}
	if count > 0 {
		fmt.Fprintf(b, "for pick > 0 {\nswitch pick {\n%s}\n}\n", cases.String())
	}
}
