package world_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
)

// unsigned is a case before anybody has signed: its slots are empty, and as many
// signers as had signed may sign late.
func unsigned(t *testing.T, c corpus.Case) corpus.Case {
	t.Helper()
	late, transactions := 0, slices.Clone(c.Unsigned.Transactions)
	for i, encoded := range transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		raw, signed := tx.Bytes(), 0
		for _, s := range tx.Signatures() {
			if s.IsZero() {
				continue
			}
			at := bytes.Index(raw, s[:])
			clear(raw[at : at+len(s)])
			signed++
		}
		if late = max(late, signed); signed > 0 {
			transactions[i] = walletfi.Base64Transaction(newChangedText(raw).text)
		}
	}
	c.Unsigned.Transactions = transactions
	c.Policy.LateCoSigners += late
	return c
}

// sealed changes each byte of a transaction that a signer has signed whom the
// caller did not name, to one value. No change is signed.
func (m *mutations) sealed(t *testing.T, c corpus.Case) {
	t.Helper()
	guard, options := hold.Guard(c), hold.Options(c)
	u := c.Unsigned
	for i, encoded := range c.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		require.NoError(t, err)
		if !m.vouched(c, tx) {
			continue
		}
		raw := tx.Bytes()
		text := newChangedText(raw)
		u.Transactions = slices.Clone(c.Unsigned.Transactions)
		fields, _ := mutable(tx)
		require.NotEmpty(t, fields)
		for _, f := range fields {
			u.Transactions[i] = text.with(f.at, raw[f.at]^1)
			_, _, err := guard.CheckSet(t.Context(), u, options...)
			require.ErrorIs(t, err, signing.ErrRefused, "byte %d (%s)", f.at, f.what)
		}
		m.seals.Add(1)
	}
}

// vouched reports whether a signature is all that lets a signer pass: the
// caller does not name it.
func (m *mutations) vouched(c corpus.Case, tx *signing.Transaction) bool {
	named := slices.Concat(c.Policy.Sponsors, c.Policy.CoSigners, []corpus.Key{corpus.Key(m.owner)})
	for i, key := range tx.Signers() {
		if !tx.Signatures()[i].IsZero() && !slices.Contains(named, corpus.Key(key)) &&
			!slices.Contains(append(slices.Clone(c.Unsigned.Intent.CoSigners), c.Unsigned.Intent.Sponsor), key.String()) {
			return true
		}
	}
	return false
}
