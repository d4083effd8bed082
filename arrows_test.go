package walletfi_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/walletfi/walletfi-go"

var services = []string{
	"lending", "smartaccount", "leverage", "predictmeta", "swap", "amm",
	"providerswap", "burnclose", "onchaindata", "socialsearch", "webhooks",
}

// TestArrows holds every import of the module against the directions of
// CONTRIBUTING.md. Tests and examples may import everything.
func TestArrows(t *testing.T) {
	checked := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata" || d.Name() == "bench") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		from, _, _ := strings.Cut(filepath.ToSlash(filepath.Dir(path)), "/")
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if why := forbidden(from, imported); why != "" {
				t.Errorf("%s imports %s: %s", path, imported, why)
			}
			checked++
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, checked, 100, "the walk saw next to nothing")
}

// forbidden says why a package under the folder from may not import another,
// "" where it may.
func forbidden(from, imported string) string {
	if strings.HasPrefix(imported, "github.com/gagliardetto/") {
		if slices.Contains([]string{"rpcnode", "sandbox", "examples"}, from) {
			return ""
		}
		return "it would link solana-go's whole tree"
	}
	inside, ok := strings.CutPrefix(imported, module)
	if !ok || from == "examples" {
		return ""
	}
	inside = strings.TrimPrefix(inside, "/")
	to, _, _ := strings.Cut(inside, "/")
	isService := slices.Contains(services, from)
	toTool := slices.Contains([]string{"signing", "wallet", "rpcnode", "sandbox"}, to)
	switch {
	case isService && slices.Contains(services, to) && from != to:
		return "a service imports another"
	case isService && toTool:
		return "a service neither signs nor knows its test double"
	case from == "sandbox" && (slices.Contains(services, to) || inside == "internal/transport"):
		return "the sandbox speaks the wire on its own"
	case slices.Contains([]string{"signing", "wallet", "rpcnode"}, from) && slices.Contains(services, to):
		return "a tool imports a service"
	case (from == "." || from == "internal") && (slices.Contains(services, to) || toTool):
		return "the foundation imports what stands on it"
	case from == "ratelimit":
		return "the limits know nothing of the module"
	case from == "." && to == "internal":
		return "the foundation's public half imports its private half"
	}
	return ""
}

func TestForbidden(t *testing.T) {
	for _, c := range []struct{ from, imported string }{
		{"lending", module + "/swap"},
		{"lending", module + "/signing"},
		{"signing", module + "/lending"},
		{"sandbox", module + "/internal/transport"},
		{"sandbox", module + "/lending"},
		{".", module + "/internal/check"},
		{"ratelimit", module},
		{"ratelimit", module + "/internal/check"},
		{"internal", module + "/signing"},
		{"signing", "github.com/gagliardetto/solana-go"},
	} {
		require.NotEmpty(t, forbidden(c.from, c.imported), "%s -> %s", c.from, c.imported)
	}
	for _, c := range []struct{ from, imported string }{
		{"lending", module},
		{".", module + "/ratelimit"},
		{"lending", module + "/internal/transport"},
		{"wallet", module + "/signing"},
		{"sandbox", "github.com/gagliardetto/solana-go/rpc"},
		{"examples", module + "/lending"},
	} {
		require.Empty(t, forbidden(c.from, c.imported), "%s -> %s", c.from, c.imported)
	}
}
