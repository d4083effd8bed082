package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// withoutRaw are the types that can lose a member and have no Raw, with the reason.
var withoutRaw = map[string]string{
	"amm.Quote":                        "json.Marshal writes the bytes that came, which go back to the service",
	"amm.RouteStep":                    "of a Quote",
	"amm.BuildRequest":                 "a request, which can be stored",
	"burnclose.GeneratedKey":           "Answer has all of it; it is a Secret",
	"burnclose.RelayOptions":           "of requests",
	"onchaindata.Problem":              "of an Error, whose ResponseError has the body",
	"smartaccount.SpendingLimit":       "of a Policy, whose Params have all of it",
	"smartaccount.SpendingLimitChange": "a request",
	"socialsearch.MeterState":          "written by the meter itself",
}

// answerType is an exported struct that is decoded from JSON.
type answerType struct {
	raw     bool              // has a field Raw, its own or an embedded type's
	decoded bool              // has json tags, or an UnmarshalJSON
	holds   map[string]string // by the name of a type: the field that holds it
	records map[string]bool   // those that it holds a list of
}

// TestEveryAnswerHasRaw reads the source of every service: whatever a type does not
// name, or cannot read, is in its field Raw, or in that of the type which holds it.
// A record of a list has its own Raw, so that it can be looked at alone. A type that
// is new is in the walk at once.
func TestEveryAnswerHasRaw(t *testing.T) {
	checked, exempt := 0, maps.Clone(withoutRaw)
	for _, service := range sandbox.Services() {
		types := answerTypes(t, string(service))
		reached := map[string]bool{} // through the Raw of another type
		for range types {            // as deep as types hold each other
			for name, typ := range types {
				if !typ.raw && !reached[name] {
					continue
				}
				for held := range typ.holds {
					if !typ.records[held] {
						reached[held] = true
					}
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(types)) {
			typ := types[name]
			if !typ.decoded || !ast.IsExported(name) {
				continue
			}
			full := string(service) + "." + name
			checked++
			if _, ok := exempt[full]; ok {
				delete(exempt, full)
				require.False(t, typ.raw, "%s has a Raw now", full)
				continue
			}
			if !typ.raw && !reached[name] {
				t.Errorf("%s can lose a member, and no Raw holds it", full)
			}
		}
	}
	require.Empty(t, exempt, "no such types")
	require.Greater(t, checked, 120)
	t.Logf("%d types", checked)
}

// answerTypes reads the structs of a package. Requests are left out, and what only
// requests hold.
func answerTypes(t *testing.T, folder string) map[string]*answerType {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	require.NoError(t, err)
	types, structs, unmarshals := map[string]*answerType{}, map[string]*ast.StructType{}, map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
		require.NoError(t, err)
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && d.Name.Name == "UnmarshalJSON" {
					unmarshals[typeName(d.Recv.List[0].Type)] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if named, ok := spec.(*ast.TypeSpec); ok {
						if s, ok := named.Type.(*ast.StructType); ok {
							structs[named.Name.Name] = s
						}
					}
				}
			}
		}
	}
	require.NotEmpty(t, structs, folder)
	for name, s := range structs {
		types[name] = readType(s, unmarshals[name])
	}
	for range types { // what is embedded may embed another
		for name, s := range structs {
			for _, f := range s.Fields.List {
				if inner := types[typeName(f.Type)]; len(f.Names) == 0 && inner != nil && inner.raw {
					types[name].raw = true
				}
			}
		}
	}
	for name := range requested(types) {
		delete(types, name)
	}
	return types
}

func readType(s *ast.StructType, unmarshals bool) *answerType {
	typ := &answerType{decoded: unmarshals, holds: map[string]string{}, records: map[string]bool{}}
	for _, f := range s.Fields.List {
		tag := ""
		if f.Tag != nil {
			tag = f.Tag.Value
		}
		for _, name := range f.Names {
			// A Delivery has the payload's JSON in Body.
			typ.raw = typ.raw || name.Name == "Raw" || name.Name == "Body" && typeName(f.Type) == ""
		}
		typ.decoded = typ.decoded || strings.Contains(tag, `json:"`) && !strings.Contains(tag, `json:"-"`)
		held := typeName(f.Type)
		typ.holds[held] = tag
		list, isList := f.Type.(*ast.ArrayType)
		isItems := len(f.Names) == 1 && f.Names[0].Name == "Items"
		if isList && list.Len == nil && (isItems || strings.Contains(tag, `wire:"records`)) {
			typ.records[held] = true
		}
	}
	return typ
}

// requested are the types of requests, and those that nothing else holds.
func requested(types map[string]*answerType) map[string]bool {
	requests, answers := map[string]bool{}, map[string]bool{}
	var follow func(name string, into map[string]bool)
	follow = func(name string, into map[string]bool) {
		if types[name] == nil || into[name] {
			return
		}
		into[name] = true
		for held := range types[name].holds {
			follow(held, into)
		}
	}
	for name := range types {
		if strings.HasSuffix(name, "Request") || strings.HasSuffix(name, "Args") {
			follow(name, requests)
		}
	}
	for name := range types {
		if !requests[name] {
			follow(name, answers)
		}
	}
	for name := range answers {
		delete(requests, name)
	}
	return requests
}

// typeName is the name at the heart of a type.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.ArrayType:
		return typeName(e.Elt)
	case *ast.MapType:
		return typeName(e.Value)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
