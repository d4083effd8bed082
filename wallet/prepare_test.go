package wallet_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// settled waits until the wallet has found out what became of a key.
func (p *page) settled(t *testing.T, key string) wallet.Outcome {
	t.Helper()
	for range 4 {
		_, err := p.wallet.Settle(soon(t))
		if err == nil {
			break
		}
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	}
	o, err := p.wallet.Outcome(t.Context(), key)
	require.NoError(t, err)
	return o
}

// TestPrepareCountsAsSent: the journal has what is given away, and from then on the key is that of
// a payment that may land.
func TestPrepareCountsAsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		u := p.asked(t, p.transferOf(signing.Legacy, 1))
		prepared, err := p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
		require.NoError(t, err)
		require.Equal(t, []walletfi.Base64Transaction{u.Transactions[0].(walletfi.Base64Transaction)}, prepared.Transactions)
		require.Equal(t, []any{"order", false, "solana:localnet", uint64(lastValid)},
			[]any{prepared.Key, prepared.Replayed, prepared.Chain, prepared.LastValidBlockHeight})
		require.Equal(t, prepared.Report.Digest(), prepared.Digest)
		require.Contains(t, prepared.Text, "To sign")
		require.EqualValues(t, 1001, prepared.BlockHeight)
		require.Equal(t, 99*350*time.Millisecond, time.Until(prepared.Until))
		e := p.entry(t, "key:order")
		require.Equal(t, wallet.KeyInDoubt, e.State)
		require.Equal(t, prepared.Transactions[0], e.Steps[0].Transaction)
		require.Equal(t, prepared.Digest, e.Prepared.Digest)
		require.Empty(t, e.Holder, "another process may submit it")

		o, err := p.wallet.Outcome(t.Context(), "order")
		require.NoError(t, err)
		require.Equal(t, wallet.StateUnknown, o.State)
		_, err = p.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "order", Signer: p.key})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.NotErrorIs(t, err, walletfi.ErrNotSent)

		// The same request gets the same bytes, whatever the service built this time.
		again, err := p.wallet.Prepare(t.Context(), "order", p.asked(t, p.transferOf(signing.V0, 2)), wallet.PrepareOptions{})
		require.NoError(t, err)
		require.True(t, again.Replayed)
		require.Equal(t, prepared.Transactions, again.Transactions)
		require.Equal(t, prepared.Digest, again.Digest)
		other := p.asked(t, p.transferOf(signing.Legacy, 1), p.transferOf(signing.Legacy, 2))
		_, err = p.wallet.Prepare(t.Context(), "order", other, wallet.PrepareOptions{})
		require.ErrorIs(t, err, wallet.ErrKeyReused)
		require.Zero(t, p.submissions())
	})
}

// TestPreparedIsNotSentAndExpires: other bytes are given away only after the first are proven gone.
func TestPreparedIsNotSentAndExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		u := p.asked(t, p.transferOf(signing.Legacy, 1))
		first, err := p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
		require.NoError(t, err)
		time.Sleep(110 * slotTime) // past the service's word, and not past what the ledger takes
		_, err = p.wallet.Prepare(t.Context(), "order", p.asked(t, p.transferOf(signing.Legacy, 2)), wallet.PrepareOptions{})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.NotErrorIs(t, err, walletfi.ErrNotSent)
		require.Equal(t, wallet.StateExpired, p.settled(t, "order").State)
		require.Greater(t, time.Since(p.begun), 150*slotTime)

		u = p.asked(t, p.transferOf(signing.Legacy, 2))
		u.LastValidBlockHeight = p.tip().Height + 100
		second, err := p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
		require.NoError(t, err)
		require.False(t, second.Replayed)
		require.NotEqual(t, first.Transactions, second.Transactions)
	})
}

// TestPageSendsByItself: what was given away lands without a word, by a signature that is not
// known. The key has paid.
func TestPageSendsByItself(t *testing.T) {
	for _, version := range []signing.Version{signing.Legacy, signing.V0, signing.V1} {
		t.Run(version.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPage(t, nil)
				u := p.asked(t, p.transferOf(version, 1))
				prepared, err := p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
				require.NoError(t, err)
				signed := p.signs(t, prepared)
				p.lands(t, signed[0])
				o := p.settled(t, "order")
				require.Equal(t, wallet.StateConfirmed, o.State)
				require.Equal(t, p.gone()[0].Signature, o.Steps[0].Signature)

				result, err := p.wallet.Submit(t.Context(), "order", signed, wallet.SubmitOptions{})
				require.ErrorIs(t, err, wallet.ErrReplayed)
				require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
				require.True(t, result.Confirmed())
				_, err = p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
				require.ErrorIs(t, err, wallet.ErrReplayed)
				require.Equal(t, 1, p.submissions())
			})
		})
	}
}

// TestPrepareRefuses: nothing is given away, and the key is free.
func TestPrepareRefuses(t *testing.T) {
	p := newPage(t, nil)
	drain := p.asked(t, p.transferOf(signing.Legacy, 1))
	drain.Intent.Spend = nil
	for name, c := range map[string]struct {
		key  string
		u    walletfi.Unsigned
		want error
	}{
		"no key":          {"", p.asked(t, p.transferOf(signing.Legacy, 1)), walletfi.ErrInvalidRequest},
		"no transactions": {"order", walletfi.Unsigned{Intent: drain.Intent}, walletfi.ErrInvalidRequest},
		"the guard":       {"drained", drain, signing.ErrRefused},
	} {
		prepared, err := p.wallet.Prepare(t.Context(), c.key, c.u, wallet.PrepareOptions{})
		require.ErrorIs(t, err, c.want, name)
		require.ErrorIs(t, err, walletfi.ErrNotSent, name)
		require.Nil(t, prepared, name)
	}
	require.Empty(t, p.open(t))
	_, err := p.wallet.Prepare(t.Context(), "order", p.asked(t, p.transferOf(signing.Legacy, 1)), wallet.PrepareOptions{})
	require.NoError(t, err)

	// Two keys with the same bytes would be paid by one execution.
	_, err = p.wallet.Prepare(t.Context(), "other", p.asked(t, p.transferOf(signing.Legacy, 1)), wallet.PrepareOptions{})
	require.ErrorIs(t, err, walletfi.ErrNotSent)
	require.ErrorContains(t, err, "byte for byte")
}

// TestPrepareOfASetThatStopped: Execute goes on with a set that stopped between two steps. Prepare signs
// nothing of it, and leaves it as it is.
func TestPrepareOfASetThatStopped(t *testing.T) {
	p := newPage(t, nil)
	u := p.asked(t, p.transferOf(signing.Legacy, 1), p.transferOf(signing.Legacy, 2))
	txs, err := signing.DecodeAll(u)
	require.NoError(t, err)
	id := func(i int) string {
		digest := sha256.Sum256(txs[i].Message())
		return hex.EncodeToString(digest[:])
	}
	was := wallet.Entry{
		Schema: wallet.Schema, Key: "key:order", Version: 1, State: wallet.KeyReleased, Asked: u.Intent,
		Steps: []wallet.EntryStep{
			{State: wallet.KeyConfirmed, Own: "first", Signature: "first", Message: id(0)},
			{State: wallet.KeyReleased, Message: id(1)},
		},
	}
	require.NoError(t, p.journal.Store(t.Context(), 0, was))
	_, err = p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
	require.ErrorIs(t, err, wallet.ErrReplayed)
	require.Equal(t, was, p.entry(t, "key:order"))
}

// TestPrepareRefusesADurableNonce: what is given away with one could be sent for ever.
func TestPrepareRefusesADurableNonce(t *testing.T) {
	p := newPage(t, nil)
	account := solana.PublicKey{77}
	x := p.transferOf(signing.Legacy, 1)
	x.calls = append([]solana.Instruction{
		system.NewAdvanceNonceAccountInstruction(account, solana.SysVarRecentBlockHashesPubkey, p.owner).Build(),
	}, x.calls...)
	nonce := signing.WithNonce(signing.Nonce{Account: signing.PublicKey(account), Value: signing.PublicKey{1}})
	u := p.asked(t, x)
	u.LastValidBlockHeight = 0
	_, err := p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{Guard: []signing.Option{nonce}})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.ErrorIs(t, err, walletfi.ErrNotSent)
	require.ErrorContains(t, err, "durable nonce")
	require.Empty(t, p.open(t))
}
