package e2e

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// cannotGrow are the results of exported interfaces that are no struct, and why each needs no
// field more.
var cannotGrow = map[string]string{
	"keychain.Keychain.IsAvailable":         "yes or no, as its name asks",
	"keychain.Keychain.Pubkey":              "32 bytes",
	"keychain.Keychain.SignTransaction":     "64 bytes",
	"observe.Observer.Start":                "the context and the end of what it encloses: what it is told grows",
	"ratelimit.Clock.AfterFunc":             ends,
	"ratelimit.Clock.Now":                   moment,
	"ratelimit.Holder.Held":                 moment,
	"ratelimit.Limiter.Permit":              ends,
	"signer.Node.History":                   "names alone: Transaction tells more of each",
	"signer.Node.Transaction":               "the bytes, which say everything",
	"signer.Prices.Source":                  "a name",
	"signing.Signer.PublicKey":              "32 bytes",
	"signing.Signer.Sign":                   "64 bytes",
	"signing.TokenSource.TokenInfo":         "asked as a map is: what is known of a token is a struct",
	"wallet.Journal.Alive":                  predicate,
	"walletfi.Asker.Asked":                  "the fields of a request by name",
	"walletfi.BlockHeighter.BlockHeight":    "a number alone: a HeadReader tells more",
	"walletfi.BundleSubmitter.SubmitBundle": door,
	"walletfi.Clock.AfterFunc":              ends,
	"walletfi.Clock.Now":                    moment,
	"walletfi.FilledOrder.FilledLater":      predicate,
	"walletfi.FinalTimer.FinalTime":         moment,
	"walletfi.Panel.Nodes":                  "each is an interface, and may have more",
	"walletfi.Prover.BlockhashAge":          "the ledger's own number, the same for all transactions",
	"walletfi.Prover.Genesis":               "32 bytes",
	"walletfi.Prover.Identity":              "a name",
	"walletfi.SendBudget.SendRate":          "a number alone",
	"walletfi.Submitter.Submit":             door,
	"walletfi.TipReader.TipAt":              "lamports, at the percentile that was asked for",
	"walletfi.TokenStore.Replace":           predicate,
	"walletfi.TokenStore.TryLock":           ends,
	"walletfi.Watcher.Watch":                ends,
	"webhooks.Seen.Seen":                    predicate,
}

const (
	door      = "how to find it again: nothing else that a door says is believed"
	ends      = "what ends what was begun, called once"
	moment    = "a moment"
	predicate = "yes or no, as its name asks"
)

// TestResultsCanGrow: what a program's own implementation of an exported interface answers is one
// struct, or several of one kind, beside an error, so that a field can be added.
func TestResultsCanGrow(t *testing.T) {
	kinds, interfaces := exportedTypes(t)
	results, excepted := 0, map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(interfaces)) {
		for _, m := range interfaces[name].Methods.List {
			signature, isMethod := m.Type.(*ast.FuncType)
			if !isMethod || signature.Results == nil {
				continue // another interface, which is held by itself, or no answer
			}
			var out []ast.Expr
			for _, r := range signature.Results.List {
				for range max(1, len(r.Names)) {
					if id, ok := r.Type.(*ast.Ident); !ok || id.Name != "error" {
						out = append(out, r.Type)
					}
				}
			}
			if len(out) == 0 {
				continue
			}
			results++
			method := name + "." + m.Names[0].Name
			if len(out) == 1 && kinds.canGrow(packageOf(name), out[0]) {
				require.NotContains(t, cannotGrow, method, "it needs no reason any more")
				continue
			}
			excepted[method] = true
			assert.Contains(t, cannotGrow, method, "a struct in place of the bare values, or a reason")
		}
	}
	for method := range cannotGrow {
		assert.Contains(t, excepted, method)
	}
	require.Greater(t, results, 50)
	fmt.Printf("results=%d excepted=%d\n", results, len(excepted))
}

// structs are the exported structs by name, with the package's.
type structs map[string]bool

// canGrow reports a struct, a pointer to one, or several.
func (s structs) canGrow(pkg string, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return s[pkg+"."+e.Name]
	case *ast.SelectorExpr:
		return s[fmt.Sprint(e.X)+"."+e.Sel.Name]
	case *ast.StarExpr:
		return s.canGrow(pkg, e.X)
	case *ast.ArrayType:
		return e.Len == nil && s.canGrow(pkg, e.Elt)
	case *ast.IndexListExpr: // an iterator
		return s.canGrow(pkg, e.Indices[0])
	}
	return false
}

// private are the folders of what no program imports.
var private = []string{".git", "e2e", "examples", "internal", "cmd", "bench", "judge"}

func packageOf(name string) string { return name[:strings.Index(name, ".")] }

// exportedTypes reads the packages that other modules can import. An interface that only this
// library implements is none of them.
func exportedTypes(t *testing.T) (structs, map[string]*ast.InterfaceType) {
	kinds, interfaces := structs{}, map[string]*ast.InterfaceType{}
	require.NoError(t, filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && slices.Contains(private, d.Name()) {
			return fs.SkipDir
		}
		if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !spec.Name.IsExported() {
				return true
			}
			name := parsed.Name.Name + "." + spec.Name.Name
			switch kind := spec.Type.(type) {
			case *ast.StructType:
				kinds[name] = true
			case *ast.InterfaceType:
				if !sealed(kind) {
					interfaces[name] = kind
				}
			}
			return true
		})
		return nil
	}))
	return kinds, interfaces
}

// sealed reports a method that no other package can have.
func sealed(i *ast.InterfaceType) bool {
	return slices.ContainsFunc(i.Methods.List, func(m *ast.Field) bool {
		return len(m.Names) == 1 && !m.Names[0].IsExported()
	})
}
