package walletfi_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
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

// tools do not know the services, and the services do not know the tools.
var tools = []string{"signing", "wallet", "rpcnode", "sandbox"}

// leaves are the packages that the root may import. They import nothing of the
// module, but that deployment reads the catalogue of documented words and that a wait of
// ratelimit is a worker's. internal/txwire is the only parser of transactions: the root names a
// transaction by the same bytes that signing checks and signs.
var leaves = []string{"ratelimit", "observe", "deployment", "internal/atwork", "internal/callopt", "internal/catalogue", "internal/instant", "internal/number", "internal/txwire", "internal/jsontext"}

// TestArrows holds every import of the module against the directions of
// CONTRIBUTING.md, a subtest for each folder. Tests and examples may import
// everything.
func TestArrows(t *testing.T) {
	rooms := imports(t)
	require.Greater(t, len(rooms), 25, "the walk saw next to no folder")
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		t.Run(room, func(t *testing.T) {
			require.NotEmpty(t, rooms[room])
			for _, i := range rooms[room] {
				if why := forbidden(room, i.imported); why != "" {
					t.Errorf("%s imports %s: %s", i.file, i.imported, why)
				}
			}
		})
	}
}

// testMaterial reports a folder that holds what only tests, examples and other folders
// of its kind may import: its name says so.
func testMaterial(room string) bool {
	for _, name := range strings.Split(room, "/") {
		if strings.HasSuffix(name, "test") || slices.Contains([]string{"e2e", "examples", "docs", "race", "recorded"}, name) {
			return true
		}
	}
	return false
}

// TestNoTestMaterialIsShipped follows the imports of every folder that programs link, as
// go list -deps does: none leads to material of tests, or to package testing.
func TestNoTestMaterialIsShipped(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...").Output()
	require.NoError(t, err)
	shipped := 0
	for line := range strings.Lines(string(out)) {
		all := strings.Fields(line)
		if testMaterial(strings.TrimPrefix(all[0], module)) {
			continue
		}
		shipped++
		for _, dep := range all[1:] {
			inside, ours := strings.CutPrefix(dep, module)
			if dep == "testing" || strings.HasPrefix(dep, "github.com/stretchr/") || ours && testMaterial(inside) {
				t.Errorf("%s links %s", all[0], dep)
			}
		}
	}
	require.Greater(t, shipped, 60)
	for _, room := range []string{"signing/signingtest/corpus/hold", "internal/wiretest", "e2e/world", "internal/wsconn/wstest"} {
		require.True(t, testMaterial(room), room)
	}
	for _, room := range []string{"", "signing", "internal/tools", "wallet", "sandbox/internal/world"} {
		require.False(t, testMaterial(room), room)
	}
}

// imported is an import of a file.
type imported struct{ file, imported string }

// imports returns what the files of each folder import, tests excepted.
func imports(t *testing.T) map[string][]imported {
	rooms := map[string][]imported{}
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
		room := filepath.ToSlash(filepath.Dir(path))
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			rooms[room] = append(rooms[room], imported{path, name})
		}
		return nil
	})
	require.NoError(t, err)
	return rooms
}

// forbidden says why a package in the folder room may not import another, ""
// if it may.
func forbidden(room, imported string) string {
	from, _, _ := strings.Cut(room, "/")
	if strings.HasPrefix(imported, "github.com/gagliardetto/") {
		if slices.Contains([]string{"rpcnode", "sandbox", "examples", "judge"}, from) {
			return ""
		}
		return "it would link solana-go's whole tree"
	}
	inside, ok := strings.CutPrefix(imported, module)
	if !ok || from == "examples" || from == "cmd" || from == "signer" { // programs, in modules of their own
		return ""
	}
	inside = strings.TrimPrefix(inside, "/")
	to, _, _ := strings.Cut(inside, "/")
	toService, toTool := slices.Contains(services, to), slices.Contains(tools, to)
	switch {
	case room == "deployment" && inside == "internal/catalogue", room == "ratelimit" && inside == "internal/atwork":
		return ""
	case slices.Contains(leaves, room):
		return "a leaf imports nothing of the module"
	case from == "." && to == "internal" && !slices.Contains(leaves, inside):
		return "the root imports internal leaves only"
	case (from == "." || from == "internal") && (toService || toTool):
		return "the foundation imports a package that is built on it"
	case slices.Contains(services, from) && toService && from != to:
		return "a service imports another"
	case slices.Contains(services, from) && toTool:
		return "a service neither signs nor knows its test double"
	case from == "sandbox" && (toService || inside == "internal/transport"):
		return "the sandbox has its own implementation of the wire"
	case slices.Contains(tools, from) && toService:
		return "a tool imports a service"
	case inside == "internal/transport" && from != "internal" && !slices.Contains(services, from):
		return "it is not in the list of services"
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
		{"newservice", module + "/internal/transport"},
		{".", module + "/internal/check"},
		{"ratelimit", module},
		{"internal/number", module},
		{"internal/callopt", module + "/internal/number"},
		{"internal/check", module + "/signing"},
		{"signing", "github.com/gagliardetto/solana-go"},
	} {
		require.NotEmpty(t, forbidden(c.from, c.imported), "%s -> %s", c.from, c.imported)
	}
	for _, c := range []struct{ from, imported string }{
		{"lending", module},
		{"lending", module + "/internal/transport"},
		{".", module + "/ratelimit"},
		{".", module + "/internal/number"},
		{"wallet", module + "/signing"},
		{"sandbox", "github.com/gagliardetto/solana-go/rpc"},
		{"examples/guard", module + "/lending"},
	} {
		require.Empty(t, forbidden(c.from, c.imported), "%s -> %s", c.from, c.imported)
	}
}
