package signing_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// FuzzGuardText starts from the texts of the corpus: whatever a service
// answers, the guard never panics, allocates a small multiple of it at most,
// and accepts nothing that a node would refuse to run.
func FuzzGuardText(f *testing.F) {
	last := ""
	for _, attack := range corpus.Attacks(corpusConfig(f)) {
		if attack.Technique != last {
			f.Add(attack.Unsigned.Transactions[0].String(), attack.Unsigned.Transactions[0].Encoding() == "base58")
		}
		last = attack.Technique
	}
	for i, benign := range corpus.Benigns(corpusConfig(f)) {
		if i%4 == 0 {
			f.Add(benign.Unsigned.Transactions[0].String(), benign.Unsigned.Transactions[0].Encoding() == "base58")
		}
	}
	model := corpus.Attacks(corpusConfig(f))[0].Case
	guard, key := hold.Guard(model), corpusKey(f)
	f.Fuzz(func(t *testing.T, text string, base58 bool) {
		u := model.Unsigned
		u.Transactions = []walletfi.EncodedTransaction{walletfi.Base64Transaction(text)}
		if base58 {
			u.Transactions[0] = walletfi.Base58Transaction(text)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		txs, _, err := guard.SignSet(t.Context(), u, key)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(256<<10+64*len(text)))
		if err != nil {
			require.ErrorIs(t, err, signing.ErrRefused)
			require.Empty(t, txs)
			return
		}
		requireRunnable(t, txs[0])
	})
}

// requireRunnable holds a transaction against the runtime's sanity rules.
func requireRunnable(t *testing.T, tx *signing.Transaction) {
	keys, accounts := tx.AccountKeys(), len(tx.AccountKeys())
	for _, table := range tx.Lookups() {
		require.Positive(t, len(table.Writable)+len(table.Readonly))
		accounts += len(table.Writable) + len(table.Readonly)
	}
	require.LessOrEqual(t, accounts, 256)
	require.LessOrEqual(t, len(tx.Signers()), len(keys))
	for i, k := range keys {
		require.NotContains(t, keys[:i], k)
	}
	for _, ins := range tx.Instructions() {
		require.Positive(t, slices.Index(keys, ins.Program), "a static key, and not the fee payer")
		for _, index := range ins.Accounts {
			require.Less(t, int(index), accounts)
		}
	}
	if tx.Version() == signing.V1 {
		require.LessOrEqual(t, tx.Len(), 4096)
		require.LessOrEqual(t, len(keys), 64)
	} else {
		require.LessOrEqual(t, tx.Len(), 1232)
	}
}
