package wallet_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// earlier is a key's entry as the version before left it: the ledger may execute the message of price 3,
// and nothing is known of it. It came to that by Execute, or by Prepare with it, or by Submit in place of
// another one.
func earlier(t *testing.T, how, key string, given uint64) wallet.Entry {
	t.Helper()
	p := newPage(t, nil)
	p.status = func(int, string) (walletfi.SignatureStatus, error) { return notFound, nil }
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	x := p.priced(t, 3)
	switch how {
	case "executed":
		_, err := p.wallet.Execute(ctx, p.asked(t, x), wallet.ExecuteOptions{Key: key, Signer: p.key})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	case "prepared":
		_, err := p.prepares(t, key, x)
		require.NoError(t, err)
	case "changed":
		_, err := p.prepares(t, key, p.priced(t, given))
		require.NoError(t, err)
		_, err = p.wallet.Submit(ctx, key, [][]byte{sign(t, x.bytes(t), p.key)}, wallet.SubmitOptions{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	require.NoError(t, p.wallet.Close())
	e := p.entry(t, "key:"+key)
	require.Equal(t, wallet.KeyInDoubt, e.State)
	e.Steps, e.Holder, e.Version = withoutHash(e.Steps), "", 1
	return e
}

// confirms has an entry confirmed by a signature of its newest message.
func confirms(e *wallet.Entry, signature string) {
	e.State = wallet.KeyConfirmed
	s := &e.Steps[len(e.Steps)-1]
	s.State, s.Signature, s.Transaction = wallet.KeyConfirmed, signature, ""
}

// TestOneMessageOfTwoKeysOfTheVersionBefore: it let two keys have one message. The execution counts for the
// key that is confirmed already, else for the older one; the other is expired, and says why.
func TestOneMessageOfTwoKeysOfTheVersionBefore(t *testing.T) {
	ways := []string{"executed", "prepared", "changed"}
	for _, older := range ways {
		for _, younger := range ways {
			for _, paid := range []bool{false, true} {
				synctest.Test(t, func(t *testing.T) {
					a, b := earlier(t, older, "a", 1), earlier(t, younger, "b", 2)
					a.Since = a.Since.Add(-time.Second)
					b.Since = b.Since.Add(-time.Millisecond)
					want := map[string]wallet.State{"a": wallet.StateConfirmed, "b": wallet.StateExpired}
					p := newPage(t, nil)
					signed := sign(t, p.priced(t, 3).bytes(t), p.key)
					tx, err := signing.DecodeBytes(signed)
					require.NoError(t, err)
					if paid {
						confirms(&b, tx.Signature().String())
						want["a"], want["b"] = want["b"], want["a"]
					}
					require.NoError(t, p.journal.Store(t.Context(), 0, a))
					require.NoError(t, p.journal.Store(t.Context(), 0, b))
					p.lands(t, signed)
					p.ends(t, want)
					require.Empty(t, p.open(t))
					expired := "key:b"
					if paid {
						expired = "key:a"
					}
					e := p.entry(t, expired)
					require.Contains(t, e.Steps[len(e.Steps)-1].Err, "byte for byte", "%s, %s, %t", older, younger, paid)
				})
			}
		}
	}
}

// TestAskedForAgain: a call for the younger key finds out the same, and goes on with other bytes.
func TestAskedForAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := earlier(t, "executed", "a", 1), earlier(t, "executed", "b", 2)
		p := newPage(t, nil)
		synctest.Wait() // until the wallet has found nothing to take up
		require.NoError(t, p.journal.Store(t.Context(), 0, a))
		require.NoError(t, p.journal.Store(t.Context(), 0, b))
		p.lands(t, sign(t, p.priced(t, 3).bytes(t), p.key))
		_, err := p.prepares(t, "b", p.priced(t, 4))
		require.NoError(t, err)
		p.ends(t, map[string]wallet.State{"a": wallet.StateConfirmed})
		_, err = p.prepares(t, "a", p.priced(t, 5))
		require.ErrorIs(t, err, wallet.ErrReplayed)
	})
}

// TestAMessageThatAnotherKeyIsAboutToHave: what another process has signed, and not asked about yet, may become
// its key's. As long as that is open, nothing is said.
func TestAMessageThatAnotherKeyIsAboutToHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := earlier(t, "executed", "a", 1), earlier(t, "prepared", "b", 2)
		p := newPage(t, nil)
		b.State, b.Steps[0].State, b.Holder = wallet.KeySigned, wallet.KeySigned, "alive"
		require.NoError(t, p.journal.Renew(t.Context(), "alive", time.Hour))
		require.NoError(t, p.journal.Store(t.Context(), 0, a))
		require.NoError(t, p.journal.Store(t.Context(), 0, b))
		p.lands(t, sign(t, p.priced(t, 3).bytes(t), p.key))
		p.ends(t, map[string]wallet.State{"a": wallet.StateUnknown})
		require.NoError(t, p.journal.Renew(t.Context(), "alive", 0))
		p.ends(t, map[string]wallet.State{"b": wallet.StateNotSent})
		p.ends(t, map[string]wallet.State{"a": wallet.StateConfirmed})
	})
}

// TestPreparedWhatTheVersionBeforeExecuted: the journal finds it by its signature alone, so that it is seen
// as soon as that is known.
func TestPreparedWhatTheVersionBeforeExecuted(t *testing.T) {
	for _, submits := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			a := earlier(t, "executed", "a", 1)
			confirms(&a, a.Steps[0].Own)
			p := newPage(t, nil)
			require.NoError(t, p.journal.Store(t.Context(), 0, a))
			_, err := p.prepares(t, "b", p.priced(t, 3))
			require.NoError(t, err)
			signed := sign(t, p.priced(t, 3).bytes(t), p.key)
			p.lands(t, signed)
			if submits {
				_, err = p.wallet.Submit(soon(t), "b", [][]byte{signed}, wallet.SubmitOptions{})
				require.ErrorContains(t, err, `key "a"`)
				require.Equal(t, 1, p.submissions())
			}
			p.ends(t, map[string]wallet.State{"a": wallet.StateConfirmed, "b": wallet.StateExpired})
			_, err = p.prepares(t, "b", p.priced(t, 4))
			require.NoError(t, err, "b has not paid")
		})
	}
}
