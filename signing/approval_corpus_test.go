package signing_test

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// TestEveryReportRoundTrips: the reports of the whole corpus and of random sets,
// refused or not, say after JSON what they said before.
func TestEveryReportRoundTrips(t *testing.T) {
	cases := corpusCases(t)
	grammar, r := corpus.NewGrammar(corpusConfig(t)), rand.New(rand.NewPCG(5, 6))
	for range 500 {
		cases = append(cases, grammar.Draw(r, grammar.Policies()[r.IntN(3)]))
	}
	passed, refused := 0, 0
	for _, c := range cases {
		_, report, err := hold.Guard(c).CheckSet(t.Context(), c.Unsigned, hold.Options(c)...)
		require.NotNil(t, report, "%s: %v", c.Name, err)
		first, marshalErr := json.Marshal(report)
		require.NoError(t, marshalErr, c.Name)
		var back signing.Report
		require.NoError(t, json.Unmarshal(first, &back), c.Name)
		again, marshalErr := json.Marshal(&back)
		require.NoError(t, marshalErr, c.Name)
		require.Equal(t, string(first), string(again), c.Name)
		require.Equal(t, report.Digest(), back.Digest(), c.Name)
		require.Equal(t, report.Unseen(), back.Unseen(), c.Name)
		if report.Text() != back.Text() {
			t.Fatalf("%s: %s\n%s", c.Name, report.Text(), back.Text())
		}
		if err == nil {
			passed++
		} else {
			refused++
		}
	}
	require.Greater(t, passed, 300)
	require.Greater(t, refused, 1000)
}

// TestApprovalBindsEveryByte: with one byte of a message changed, nothing is
// signed under the digest of the set that was approved; nor by another signer.
func TestApprovalBindsEveryByte(t *testing.T) {
	benigns, key := corpus.Benigns(corpusConfig(t)), corpusKey(t)
	require.NotEmpty(t, benigns)
	c := benigns[3].Case // a set of two
	guard := hold.Guard(c)
	_, report, err := guard.CheckSet(t.Context(), c.Unsigned)
	require.NoError(t, err)
	digest, changed := report.Digest(), 0
	other, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	_, _, err = guard.SignApproved(t.Context(), c.Unsigned, digest, other)
	require.ErrorIs(t, err, signing.ErrRefused, "another signer")
	for n, encoded := range c.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		raw := tx.Bytes()
		for at := range raw {
			raw[at] ^= 1
			u := c.Unsigned
			u.Transactions = append([]walletfi.EncodedTransaction(nil), u.Transactions...)
			u.Transactions[n] = walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(raw))
			txs, _, err := guard.SignApproved(t.Context(), u, digest, key)
			require.ErrorIs(t, err, signing.ErrRefused, "transaction %d, byte %d", n, at)
			require.Empty(t, txs)
			raw[at] ^= 1
			changed++
		}
	}
	require.Greater(t, changed, 500)
	_, _, err = guard.SignApproved(t.Context(), c.Unsigned, digest, key)
	require.NoError(t, err, "and unchanged it is signed")
}
