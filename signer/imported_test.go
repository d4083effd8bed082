package signer_test

import (
	"bytes"
	"encoding/base64"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

func imported(name string) signer.ImportedKey {
	return signer.ImportedKey{Name: name, Seed: bytes.Repeat([]byte(name), 32)[:32]}
}

// TestImportedOwners: a key that was elsewhere is its owner's, under the template, over restarts, and
// whoever lists it is told. An import that was cut off is made again.
func TestImportedOwners(t *testing.T) {
	r := templates(t)
	a, err := r.ImportOwner(t.Context(), "user", imported("a"))
	require.NoError(t, err)
	key, err := signing.NewLocalKeyFromSeed(imported("a").Seed)
	require.NoError(t, err)
	require.Equal(t, key.PublicKey(), a)
	r.pays(a, 9e8-baseFee)
	r.refused("trader", r.payFrom(a, 2e8), signer.CodeWindow)
	r.reopen()
	r.refused("trader", r.payFrom(a, 2e8), signer.CodeWindow)
	r.pays(a, 1e8-baseFee)
	again, err := r.ImportOwner(t.Context(), "user", imported("a"))
	require.NoError(t, err)
	assert.Equal(t, a, again)
	assert.Equal(t, a, r.makeUser("a"), "a client that asks for the name gets the owner")

	r.makeUser("b")
	r.makeUser("c") // of two an hour: the import is not one of them
	_, err = r.ImportOwner(t.Context(), "user", imported("d"))
	require.ErrorContains(t, err, "has its 3 owners")
	told := map[string]bool{}
	used, err := r.Ledger(t.Context())
	require.NoError(t, err)
	for _, u := range used {
		told[u.Owner] = u.Elsewhere
	}
	assert.Equal(t, map[string]bool{"bot": false, "a": true, "b": false, "c": false, "": false}, told)
	health, err := r.Health(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, health.Elsewhere)
	require.NoError(t, r.Signer.Close())
	for _, path := range []string{r.cfg.Store, r.cfg.Anchor} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.NotContains(t, string(text), string(imported("a").Seed))
		assert.NotContains(t, string(text), base64.StdEncoding.EncodeToString(imported("a").Seed))
	}
	seed := r.cfg.Seed
	r.cfg.Seed = signingtest.Key("other seed")
	_, err = signer.Open(t.Context(), r.cfg)
	require.ErrorContains(t, err, `is not the one that owner "a" was imported under`)
	r.cfg.Seed = seed
	r.open()
}

func TestImportRefusals(t *testing.T) {
	r := templates(t)
	r.makeUser("made")
	_, err := r.ImportOwner(t.Context(), "user", imported("there"))
	require.NoError(t, err)
	other := signer.ImportedKey{Name: "there", Seed: imported("x").Seed}
	for name, c := range map[string]struct {
		template string
		key      signer.ImportedKey
		text     string
	}{
		"no template":          {"none", imported("a"), "there is no template"},
		"a short key":          {"user", signer.ImportedKey{Name: "a", Seed: []byte("short")}, "has not 32 bytes"},
		"no name":              {"user", signer.ImportedKey{Seed: imported("a").Seed}, "1 to 100 bytes"},
		"an owner's name":      {"user", imported("bot"), "of another template"},
		"a name that was made": {"user", imported("made"), "with another key"},
		"another key":          {"user", other, "with another key"},
		"another's key":        {"user", signer.ImportedKey{Name: "y", Seed: imported("there").Seed}, `is that of owner "there"`},
	} {
		_, err := r.ImportOwner(t.Context(), c.template, c.key)
		require.ErrorIs(t, err, signing.ErrRefused, name)
		require.ErrorContains(t, err, c.text, name)
	}
	require.NoError(t, r.Freeze(t.Context(), "test", signer.ModeFrozen, ""))
	_, err = r.ImportOwner(t.Context(), "user", imported("b"))
	require.ErrorContains(t, err, signer.CodeFrozen)
	r.pass(time.Minute)
	require.NoError(t, r.Thaw(t.Context(), "test", ""))
	_, err = r.ImportOwner(t.Context(), "user", imported("b"))
	require.NoError(t, err)
}
