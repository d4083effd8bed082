package signing

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

var jupiter = MustPublicKey("JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4")

// folder is a folder of IDL files.
func folder(files map[string]string) fstest.MapFS {
	dir := fstest.MapFS{}
	for name, text := range files {
		dir[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return dir
}

const (
	newIDL = `{"address":"JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4","metadata":{"name":"jupiter","version":"0.1.0","spec":"0.1.0"},
		"instructions":[{"name":"route","discriminator":[229,23,203,151,122,227,173,42],"accounts":[],"args":[]},
		{"name":"short","discriminator":[7]},{"name":"longer","discriminator":[7,7]}]}`
	oldIDL = `{"version":"0.1.0","name":"x","instructions":[{"name":"route","accounts":[],"args":[]},{"name":"sharedAccountsRoute"}]}`
)

// TestIDLs: both forms name instructions. The discriminators are those that Jupiter's program
// has on the ledger.
func TestIDLs(t *testing.T) {
	stated := strings.Replace(oldIDL, `"name":"x"`, `"name":"x","metadata":{"address":"`+jupiter.String()+`"}`, 1)
	for name, files := range map[string]map[string]string{
		"new":           {"a.json": newIDL, "notes.txt": "{"},
		"old":           {"a.json": stated},
		"old, by name":  {jupiter.String() + ".json": oldIDL},
		"new, by name":  {jupiter.String() + ".json": newIDL, exchange.String() + ".json": oldIDL},
		"no statement":  {jupiter.String() + ".json": strings.Replace(newIDL, `,"discriminator":[229,23,203,151,122,227,173,42]`, "", 1)},
		"old, repeated": {jupiter.String() + ".json": stated},
	} {
		all, err := LoadIDLs(folder(files))
		require.NoError(t, err, name)
		for data, want := range map[string]string{
			"e517cb977ae3ad2a": "route", "e517cb977ae3ad2a00ff": "route", "e517cb977ae3ad": "", "": "", "e517cb977ae3ad2b": "",
		} {
			b, err := hex.DecodeString(data)
			require.NoError(t, err)
			assert.Equal(t, want, all.Instruction(jupiter, b), "%s: %s", name, data)
			assert.Empty(t, all.Instruction(thief, b), name)
		}
	}
	all, err := LoadIDLs(folder(map[string]string{"a.json": newIDL, exchange.String() + ".json": oldIDL}))
	require.NoError(t, err)
	assert.Equal(t, "short", all.Instruction(jupiter, []byte{7, 8}))
	assert.Equal(t, "longer", all.Instruction(jupiter, []byte{7, 7, 8}), "the longest that fits")
	shared, err := hex.DecodeString("c1209b3341d69c81")
	require.NoError(t, err)
	assert.Equal(t, "sharedAccountsRoute", all.Instruction(exchange, shared))
	assert.Empty(t, (*IDLs)(nil).Instruction(jupiter, shared))
}

// TestHostileIDLs: a file that is wrong, or says what the report must not repeat, is refused
// by its name.
func TestHostileIDLs(t *testing.T) {
	instructions := func(list string) string {
		return `{"address":"` + jupiter.String() + `","instructions":[` + list + `]}`
	}
	called := func(name string) string { return instructions(fmt.Sprintf(`{"name":%q,"discriminator":[1]}`, name)) }
	for says, files := range map[string]map[string]string{
		"neither the file nor its name":  {"a.json": oldIDL},
		"its address":                    {"a.json": `{"address":"x"}`},
		"states two addresses":           {"a.json": `{"address":"` + jupiter.String() + `","metadata":{"address":"` + exchange.String() + `"}}`},
		"named after another program":    {exchange.String() + ".json": newIDL},
		"a second one":                   {"a.json": newIDL, "b.json": newIDL},
		"it has no instructions":         {"a.json": instructions("")},
		"unexpected end":                 {"a.json": "{"},
		"the name \"\"":                  {"a.json": called("")},
		"the name \"a\\nREFUSED\"":       {"a.json": called("a\nREFUSED")},
		"the name \"proven safe\"":       {"a.json": called("proven safe")},
		"the name \"r\u043eute\"":        {"a.json": called("r\u043eute")},
		strings.Repeat("a", 65):          {"a.json": called(strings.Repeat("a", 65))},
		"not of bytes":                   {"a.json": instructions(`{"name":"a","discriminator":[256]}`)},
		"the discriminator of b":         {"a.json": instructions(`{"name":"a","discriminator":[1]},{"name":"b","discriminator":[1]}`)},
		"the discriminator of openOrder": {"a.json": instructions(`{"name":"open_order"},{"name":"openOrder"}`)},
		"more than 4194304 bytes":        {"a.json": newIDL + strings.Repeat(" ", 4<<20)},
	} {
		_, err := LoadIDLs(folder(files))
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, ".json", says)
	}
	many := map[string]string{}
	for i := range 1001 {
		many[fmt.Sprintf("%d.json", i)] = newIDL
	}
	_, err := LoadIDLs(folder(many))
	require.ErrorContains(t, err, "1001 IDL files")
	_, err = LoadIDLs(os.DirFS(filepath.Join(t.TempDir(), "none")))
	require.ErrorIs(t, err, fs.ErrNotExist)
	none, err := LoadIDLs(folder(map[string]string{"inner.json/a.json": "{"}))
	require.NoError(t, err)
	assert.Empty(t, none.Instruction(jupiter, []byte{1}))
}

// TestIDLProvesNothing: a name changes what the report calls an instruction, and neither what
// passes nor what is proven. An approval binds it.
func TestIDLProvesNothing(t *testing.T) {
	named := func(name string) *Report {
		s := blindSwap()
		s.instructions[3].Data = []byte{9, 9}
		if name != "" {
			all, err := LoadIDLs(folder(map[string]string{exchange.String() + ".json": `{"instructions":[{"name":"` + name + `","discriminator":[9]}]}`}))
			require.NoError(t, err)
			s.policy.IDLs = all
		}
		return s.report(t, txbuild.V0)
	}
	plain, safe, other := named(""), named("provenSafe"), named("drainAll")
	said := "; a description file calls this \"provenSafe\" (Policy.IDLs), and the program can do otherwise"
	assert.Equal(t, plain.Text(), strings.Replace(safe.Text(), said, "", 1))
	_, notProven, _ := strings.Cut(safe.Text(), "Not proven\n")
	assert.Contains(t, notProven, said)
	assert.NotEqual(t, safe.Digest(), other.Digest())
	assert.NotEqual(t, safe.Digest(), plain.Digest())
	refused := blindSwap()
	refused.policy.IDLs, refused.policy.AllowBlind = &IDLs{programs: nil}, nil
	_, report := refused.refusal(t, txbuild.V0)
	assert.Equal(t, RuleBlind, report.Refusal.Rule)
}
