package signing

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// elsewhere is a signer that is asked for sets. It may change what it answers.
type elsewhere struct {
	*LocalKey
	asked  []SetRequest
	change func([]Signature) ([]Signature, error)
}

func (e *elsewhere) Sign(context.Context, []byte) (Signature, error) {
	return Signature{}, errors.New("it signs no bytes")
}

func (e *elsewhere) SignSet(ctx context.Context, r SetRequest) (SetSignatures, error) {
	e.asked = append(e.asked, r)
	txs, err := DecodeAll(r.Unsigned)
	if err != nil {
		return SetSignatures{}, err
	}
	var signatures []Signature
	for _, tx := range txs[r.First : r.First+r.Count] {
		s, err := e.LocalKey.Sign(ctx, tx.Message())
		if err != nil {
			return SetSignatures{}, err
		}
		signatures = append(signatures, s)
	}
	if e.change != nil {
		signatures, err = e.change(signatures)
	}
	return SetSignatures{Signatures: signatures}, err
}

func memos(texts ...string) (scenes []*scene) {
	for _, text := range texts {
		scenes = append(scenes, ordinary(txbuild.Memo(text)))
	}
	return scenes
}

func TestSetSignerIsAskedOnce(t *testing.T) {
	scenes := memos("x", "y", "z")
	u, signer := set(txbuild.V0, scenes...), &elsewhere{LocalKey: ownerKey}
	u.LastValidBlockHeight = 77
	txs, _, err := NewGuard(scenes[0].policy).SignSet(t.Context(), u, signer)
	require.NoError(t, err)
	require.Len(t, txs, 3)
	for _, tx := range txs {
		assert.True(t, tx.Signature().Verify(owner, tx.Message()))
	}
	require.Len(t, signer.asked, 1)
	assert.Equal(t, SetRequest{Unsigned: u, Count: 3}, signer.asked[0])

	for i, tx := range txs { // what it has signed already is not asked for again
		u.Transactions[i] = tx.Base64()
	}
	_, _, err = NewGuard(scenes[0].policy).SignSet(t.Context(), u, signer)
	require.NoError(t, err)
	assert.Len(t, signer.asked, 1)
}

func TestSetSignerIsAskedForAStep(t *testing.T) {
	s := numbered(1)
	s.policy.Simulator = leaves(1000, 990, 9)
	u, signer := set(txbuild.V0, s, numbered(2), numbered(3)), &elsewhere{LocalKey: ownerKey}
	tx, _, err := NewGuard(s.policy).SignStep(t.Context(), u, executed(t, u, usdcOf(1010, 1000, 8)), signer)
	require.NoError(t, err)
	assert.True(t, tx.Signature().Verify(owner, tx.Message()))
	require.Len(t, signer.asked, 1)
	assert.Equal(t, 1, signer.asked[0].First)
	assert.Equal(t, 1, signer.asked[0].Count)
	assert.Len(t, signer.asked[0].Unsigned.Transactions, 3)
}

func TestSetSignerIsNotBelieved(t *testing.T) {
	refusal := &SetRefusal{Code: "ceiling.window", Text: "5 SOL of 2 are left", Waits: true, RetryAt: time.Unix(1e9, 0)}
	cases := map[string]struct {
		change func([]Signature) ([]Signature, error)
		want   string
	}{
		"one is missing":  {func(s []Signature) ([]Signature, error) { return s[:1], nil }, "returned 1 signatures for 2 transactions"},
		"one is too many": {func(s []Signature) ([]Signature, error) { return append(s, s[0]), nil }, "returned 3 signatures"},
		"in another order": {func(s []Signature) ([]Signature, error) {
			return []Signature{s[1], s[0]}, nil
		}, "not its own over the message of transaction 1"},
		"one is wrong": {func(s []Signature) ([]Signature, error) {
			s[1][5] ^= 1
			return s, nil
		}, "not its own over the message of transaction 2"},
		"none":            {func([]Signature) ([]Signature, error) { return nil, nil }, "returned 0 signatures"},
		"it says to wait": {func([]Signature) ([]Signature, error) { return nil, refusal }, "5 SOL of 2 are left (rule ceiling.window), not before 2001-09-09T01:46:40Z"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			scenes := memos("x", "y")
			txs, err := DecodeAll(set(txbuild.V0, scenes...))
			require.NoError(t, err)
			signer := &elsewhere{LocalKey: ownerKey, change: c.change}
			report := &Report{Owner: owner, txs: txs}
			err = NewGuard(scenes[0].policy).signAll(t.Context(), txs, signer, report)
			require.ErrorContains(t, err, c.want)
			assert.Equal(t, name == "it says to wait", errors.Is(err, ErrWaits))
			assert.NotErrorIs(t, err, ErrRefused)
			for _, tx := range txs {
				assert.True(t, tx.Signature().IsZero(), "a slot was written")
			}
		})
	}
	assert.ErrorIs(t, &SetRefusal{Code: "frozen", Text: "the signer is frozen"}, ErrRefused)
}

func TestSetSignerFindsItsSlots(t *testing.T) {
	scenes := memos("x", "y")
	u, signer := set(txbuild.V0, scenes...), &elsewhere{LocalKey: ownerKey}
	txs, err := DecodeAll(u)
	require.NoError(t, err)
	txs[1].wire.Slot(0)[3] = 1
	u.Transactions[1] = txs[1].Base64()
	_, _, err = NewGuard(scenes[0].policy).SignSet(t.Context(), u, signer)
	require.Error(t, err)
	assert.Empty(t, signer.asked, "it was asked to sign next to another's bytes")
	stranger := &elsewhere{LocalKey: keyOf("stranger")}
	err = (&Guard{}).signAll(t.Context(), txs[:1], stranger, &Report{Owner: stranger.PublicKey(), txs: txs})
	require.ErrorContains(t, err, "asks for no signature of")
	assert.Empty(t, stranger.asked)
}
