package postgres_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

const backPolicy = `version = 1
genesis = "{{.Genesis}}"
fees = {network = 5_000}
owner = [{name = "owner", key = "{{.Key}}", ceiling = [
	{mint = "SOL", transaction = 1_000_000_000, window = [{length = "1h", most = 3_000_000_000}]}]}]
client = [{name = "client", uid = {{.UID}}, owners = ["owner"], services = [""], share = 100, rate = 1000}]
payee = [{name = "payee", address = "`

// TestADatabaseThatLostItsEndFreezesAll: one signer has seen what it lost, and the others have not. What it
// lost counts with nobody until somebody freezes them.
func TestADatabaseThatLostItsEndFreezesAll(t *testing.T) {
	role, admin := newStore(t)
	payee := signingtest.Key("payee").PublicKey()
	s := signertest.Start(t, backPolicy+payee.String()+`"}]`)
	open := opens(role)
	begin := func() *signer.Signer {
		cfg := s.Config
		cfg.Anchor = filepath.Join(t.TempDir(), "anchor")
		one, err := open(t, cfg)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, one.Close()) })
		require.NoError(t, one.Settle(t.Context()))
		return one
	}
	a, b := begin(), begin()
	_, err := a.SignSet(t.Context(), "client", s.Payment(t, payee, 899_995_000))
	require.NoError(t, err)
	last := count(t, admin, "SELECT MAX(seq) FROM log")
	for i := range 2 {
		_, err = a.SignSet(t.Context(), "client", s.Payment(t, payee, 899_994_000-walletfi.Amount(i)))
		require.NoError(t, err)
	}
	// b saw none of these, and the database loses the last two.
	_, err = admin.Exec(t.Context(), `DELETE FROM walletfi_signer.debit WHERE id IN
		(SELECT m->>'id' FROM walletfi_signer.log, json_array_elements(body::json->'messages') m WHERE kind = 'sign' AND seq > $1)`, last)
	require.NoError(t, err)
	_, err = admin.Exec(t.Context(), `DELETE FROM walletfi_signer.signed WHERE id IN
		(SELECT m->>'id' FROM walletfi_signer.log, json_array_elements(body::json->'messages') m WHERE kind = 'sign' AND seq > $1)`, last)
	require.NoError(t, err)
	_, err = admin.Exec(t.Context(), "DELETE FROM walletfi_signer.log WHERE seq > $1", last)
	require.NoError(t, err)

	require.Error(t, a.Settle(t.Context()), "it finds less than it wrote")
	for i := range 3 {
		_, err = b.SignSet(t.Context(), "client", s.Payment(t, payee, 899_993_000-walletfi.Amount(i)))
		require.ErrorContains(t, err, signer.CodeFrozen)
	}
	require.NoError(t, b.Thaw(t.Context(), "the test", ""))
	_, err = b.SignSet(t.Context(), "client", s.Payment(t, payee, 1))
	require.ErrorContains(t, err, signer.CodeWindow, "what was lost may have used it up")
}
