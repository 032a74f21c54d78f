package harness

import (
	"go/types"
	"slices"
)

// candidates is the type arguments that are tried, in this order.
var candidates = []types.Type{
	types.Typ[types.String], types.Typ[types.Int], types.Typ[types.Float64], types.Typ[types.Bool],
	types.NewSlice(types.Typ[types.Int]), types.NewPointer(types.Typ[types.Int]),
}

// instance returns the type, with type arguments that satisfy its constraints if it
// is generic; the type itself if none of the candidates do.
func instance(t *types.Named) types.Type {
	if args := argumentsFor(t.TypeParams()); args != nil {
		if made, err := types.Instantiate(nil, t, args, true); err == nil {
			return made
		}
	}
	return t
}

// instantiated returns the signature of a function; of a generic one, with the type
// arguments of the object where it has as many, else with candidates.
func instantiated(fn *types.Func, object types.Type) (*types.Signature, bool) {
	signature := fn.Signature()
	args, ok := typeArguments(fn, object)
	if !ok {
		return nil, false
	}
	if len(args) == 0 {
		return signature, true
	}
	made, err := types.Instantiate(nil, signature, args, true)
	if err != nil {
		return nil, false
	}
	return made.(*types.Signature), true
}

// typeArguments returns the type arguments that a function is called with.
func typeArguments(fn *types.Func, object types.Type) ([]types.Type, bool) {
	params := fn.Signature().TypeParams()
	if params.Len() == 0 {
		return nil, true
	}
	if named, ok := object.(*types.Named); ok && named != nil && named.TypeArgs().Len() == params.Len() {
		var args []types.Type
		for i := range params.Len() {
			args = append(args, named.TypeArgs().At(i))
		}
		if _, err := types.Instantiate(nil, fn.Signature(), args, true); err == nil {
			return args, true
		}
	}
	args := argumentsFor(params)
	return args, args != nil
}

// argumentsFor returns candidates that satisfy the constraints, each by itself, or else the constraint, where it is an
// interface with methods only, which satisfies itself; nil if there are none.
func argumentsFor(params *types.TypeParamList) []types.Type {
	var args []types.Type
	for param := range params.TypeParams() {
		constraint, ok := param.Constraint().Underlying().(*types.Interface)
		all := candidates
		if named, isNamed := types.Unalias(param.Constraint()).(*types.Named); isNamed && named.TypeArgs().Len() == 0 &&
			named.Obj().Exported() {
			all = append(slices.Clip(all), param.Constraint())
		}
		at := slices.IndexFunc(all, func(t types.Type) bool { return ok && types.Satisfies(t, constraint) })
		if at < 0 {
			return nil
		}
		args = append(args, all[at])
	}
	return args
}
