package main

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

const solanaGo = "github.com/gagliardetto/"

// TestForeignTypes: of the main module, package solanago alone has types of solana-go's in
// what it exports, so that a major version of that library breaks no other package.
func TestForeignTypes(t *testing.T) {
	all, err := packages.Load(&packages.Config{Mode: packages.LoadTypes | packages.NeedModule, Dir: "../../.."}, "./...")
	require.NoError(t, err)
	looked, found := 0, map[string][]string{}
	for _, p := range all {
		require.Empty(t, p.Errors, p.PkgPath)
		if !isPublic(p) {
			continue
		}
		for _, id := range p.Types.Scope().Names() {
			if o := p.Types.Scope().Lookup(id); o.Exported() {
				looked++
				if foreign := foreignIn(o); len(foreign) > 0 {
					name := strings.TrimPrefix(p.PkgPath, p.Module.Path+"/")
					found[name] = append(found[name], foreign...)
				}
			}
		}
	}
	require.Greater(t, looked, 1000)
	for name, foreign := range found {
		require.Equal(t, "rpcnode/solanago", name, foreign)
	}
	require.Len(t, found, 1, "solanago itself is seen")
}

// foreignIn lists what an exported object promises of solana-go's.
func foreignIn(o types.Object) (all []string) {
	note := func(where string, t types.Type) {
		if text := types.TypeString(types.Unalias(t), nil); strings.Contains(text, solanaGo) {
			all = append(all, where+" "+text)
		}
	}
	note(o.Name(), o.Type())
	name, ok := o.(*types.TypeName)
	if !ok {
		return all
	}
	note(o.Name(), withoutHidden(name.Type().Underlying()))
	methods := types.NewMethodSet(types.NewPointer(name.Type()))
	for m := range methods.Methods() {
		if m.Obj().Exported() {
			note(o.Name()+"."+m.Obj().Name(), m.Type())
		}
	}
	return all
}

// withoutHidden is a struct without what programs cannot name, and any other type as it is.
func withoutHidden(t types.Type) types.Type {
	s, ok := t.(*types.Struct)
	if !ok {
		return t
	}
	fields := slices.DeleteFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return !f.Exported() })
	return types.NewStruct(fields, nil)
}
