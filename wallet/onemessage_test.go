package wallet_test

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// priced is the page's payment on one blockhash, of which only the price of a compute unit differs: a
// wallet may make one of the other.
func (p *page) priced(t *testing.T, price uint64) transaction {
	t.Helper()
	return p.transferOf(signing.Legacy, 1, budget(t, 20_000, price)...)
}

// prepares gives one transaction away for a key.
func (p *page) prepares(t *testing.T, key string, x transaction) (*wallet.Prepared, error) {
	t.Helper()
	return p.wallet.Prepare(t.Context(), key, p.asked(t, x), wallet.PrepareOptions{})
}

// ends waits for what becomes of keys.
func (p *page) ends(t *testing.T, want map[string]wallet.State) {
	t.Helper()
	require.NotEmpty(t, want)
	for key, state := range want {
		require.Equal(t, state, p.settled(t, key).State, key)
	}
}

// TestOneMessageForTwoPreparedKeys: the user signs one message for two keys. It is executed once, and
// counts for the first.
func TestOneMessageForTwoPreparedKeys(t *testing.T) {
	for name, signs := range map[string]uint64{"what the first has": 1, "what neither has": 3} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPage(t, nil)
				for i, key := range []string{"first", "second"} {
					_, err := p.prepares(t, key, p.priced(t, uint64(i)+1))
					require.NoError(t, err)
				}
				signed := [][]byte{sign(t, p.priced(t, signs).bytes(t), p.key)}
				result, err := p.wallet.Submit(soon(t), "first", signed, wallet.SubmitOptions{})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
				for range 2 { // the refusal is not the key's end
					_, err = p.wallet.Submit(soon(t), "second", signed, wallet.SubmitOptions{})
					require.ErrorContains(t, err, `key "first"`)
					require.ErrorContains(t, err, "byte for byte")
					require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
					require.NotErrorIs(t, err, walletfi.ErrNotSent)
					require.NotErrorIs(t, err, wallet.ErrReplayed)
					steps := p.entry(t, "key:second").Steps
					require.True(t, steps[len(steps)-1].Yields)
					require.Len(t, steps, 2, "it is followed: the user could send it")
				}
				require.Equal(t, 1, p.submissions())
				p.ends(t, map[string]wallet.State{"first": wallet.StateConfirmed, "second": wallet.StateExpired})
			})
		})
	}
}

// TestTheOtherMessageIsStillTaken: after a refusal the key takes another message. What was refused counts under
// a limit as well, as its owner could send it.
func TestTheOtherMessageIsStillTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, func(c *wallet.Config) {
			c.Spend = []wallet.SpendLimit{{Mint: walletfi.NativeMint, Within: time.Hour, Most: 20_500}}
		})
		for i, key := range []string{"first", "second"} {
			_, err := p.prepares(t, key, p.priced(t, uint64(i)+1))
			require.NoError(t, err)
		}
		for _, price := range []uint64{1, 4} {
			signed := [][]byte{sign(t, p.priced(t, price).bytes(t), p.key)}
			_, err := p.wallet.Submit(soon(t), "second", signed, wallet.SubmitOptions{})
			if price == 1 {
				require.ErrorContains(t, err, "byte for byte")
				continue
			}
			require.NoError(t, err)
		}
		p.ends(t, map[string]wallet.State{"first": wallet.StateExpired, "second": wallet.StateConfirmed})
	})
}

// TestOneMessageTwiceInWhatCameBack: a wallet made one transaction of a set another one of it.
func TestOneMessageTwiceInWhatCameBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		p.prepare(t, p.priced(t, 1), p.priced(t, 2))
		for _, price := range []uint64{1, 2, 3} {
			signed := sign(t, p.priced(t, price).bytes(t), p.key)
			_, err := p.submit(t, signed, signed)
			require.ErrorContains(t, err, "occurs twice in the set")
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		}
		require.Zero(t, p.submissions())
		result, err := p.submit(t, sign(t, p.priced(t, 1).bytes(t), p.key), sign(t, p.priced(t, 4).bytes(t), p.key))
		require.NoError(t, err)
		require.True(t, result.Confirmed())
	})
}

// TestOneMessageExecutedAndPrepared: whichever comes first has it, on any journal.
func TestOneMessageExecutedAndPrepared(t *testing.T) {
	for name, memory := range map[string]bool{"memory": true, "file": false} {
		for _, first := range []string{"executed", "prepared"} {
			t.Run(name+"/"+first, func(t *testing.T) {
				p := newPage(t, func(c *wallet.Config) {
					if memory {
						return
					}
					journal, err := wallet.OpenFileJournal(filepath.Join(t.TempDir(), "journal"))
					require.NoError(t, err)
					t.Cleanup(func() { require.NoError(t, journal.Close()) })
					c.Journal = journal
				})
				x := p.priced(t, 1)
				execute := func() error {
					_, err := p.wallet.Execute(soon(t), p.asked(t, x), wallet.ExecuteOptions{Key: "executed", Signer: p.key})
					return err
				}
				refused := func(err error) {
					require.ErrorContains(t, err, `key "`+first+`"`)
					require.ErrorContains(t, err, "byte for byte")
					answersTo(t, err, walletfi.ErrNotSent)
				}
				if first == "executed" {
					require.NoError(t, execute())
					_, err := p.prepares(t, "prepared", x)
					refused(err)
					_, err = p.prepares(t, "changed", p.priced(t, 2))
					require.NoError(t, err)
					signed := [][]byte{sign(t, x.bytes(t), p.key)}
					_, err = p.wallet.Submit(soon(t), "changed", signed, wallet.SubmitOptions{})
					require.ErrorContains(t, err, "byte for byte")
					require.Equal(t, 1, p.submissions())
					return
				}
				_, err := p.prepares(t, "prepared", x)
				require.NoError(t, err)
				refused(execute())
				require.Zero(t, p.submissions())
				result, err := p.wallet.Submit(soon(t), "prepared", [][]byte{sign(t, x.bytes(t), p.key)}, wallet.SubmitOptions{})
				require.NoError(t, err)
				require.True(t, result.Confirmed())
			})
		}
	}
}

// TestWhatCameBackIsFollowed: of a process that ends between the two writes, the message that it has written is
// followed beside another one that comes back.
func TestWhatCameBackIsFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPage(t, nil)
		p.prepare(t, p.priced(t, 1))
		e := p.entry(t, "key:order")
		changed := e.Steps[0]
		changed.State, changed.InPlaceOf, changed.Own = wallet.KeySigned, 1, "another message"
		e.Steps, e.Version = append(e.Steps, changed), e.Version+1
		require.NoError(t, p.journal.Store(t.Context(), e.Version-1, e))
		result, err := p.submit(t, sign(t, p.priced(t, 2).bytes(t), p.key))
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		steps := p.entry(t, "key:order").Steps
		require.Len(t, steps, 3)
		require.Equal(t, []wallet.KeyState{wallet.KeyInDoubt, wallet.KeyConfirmed}, []wallet.KeyState{steps[1].State, steps[2].State})
		require.Equal(t, changed.Own, steps[1].Own)
	})
}

// anotherHand is the page's user, who signs a message otherwise than before.
type anotherHand struct{ *signing.LocalKey }

func (anotherHand) Sign(_ context.Context, message []byte) (s signing.Signature, err error) {
	copy(s[:], otherSignature(bytes.Repeat([]byte{9}, 32), bytes.Repeat([]byte{8}, 32), message))
	return s, nil
}

// TestOneMessageByOtherSignatures: keys that are held in parts make another signature each time, and so does a
// sponsor.
func TestOneMessageByOtherSignatures(t *testing.T) {
	sponsor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	for name, sponsored := range map[string]bool{"the owner pays": false, "a sponsor pays": true} {
		t.Run(name, func(t *testing.T) {
			p := newPage(t, func(c *wallet.Config) {
				c.Guard = signing.NewGuard(signing.Policy{Sponsors: []signing.PublicKey{sponsor.PublicKey()}})
			})
			x := p.priced(t, 1)
			u := p.asked(t, x)
			if sponsored {
				x.payer = solana.PublicKey(sponsor.PublicKey())
				u = p.asked(t, x)
				u.Intent.Sponsor = sponsor.PublicKey().String()
				p.chain.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
					return walletfi.SignatureStatus{
						Found: signature != "", Commitment: walletfi.CommitmentConfirmed, Slot: 7,
					}, nil
				}
				p.names = func(tx walletfi.Signed) string {
					sent, err := signing.Decode(tx.Transaction)
					require.NoError(t, err)
					s, err := sponsor.Sign(t.Context(), sent.Message())
					require.NoError(t, err)
					return s.String()
				}
			}
			result, err := p.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "first", Signer: p.key})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
			_, err = p.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "second", Signer: anotherHand{p.key}})
			require.ErrorContains(t, err, `key "first"`)
			answersTo(t, err, walletfi.ErrNotSent)
			_, err = p.wallet.Prepare(t.Context(), "third", u, wallet.PrepareOptions{})
			require.ErrorContains(t, err, `key "first"`)
			answersTo(t, err, walletfi.ErrNotSent)
			require.Equal(t, 1, p.submissions())
		})
	}
}

// TestOneMessageWithoutAKey: what a payment without a key has executed is not given away, or executed by
// another signature, after it was dropped.
func TestOneMessageWithoutAKey(t *testing.T) {
	p := newPage(t, nil)
	u := p.asked(t, p.priced(t, 1))
	_, err := p.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Signer: p.key})
	require.NoError(t, err)
	_, err = p.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Signer: anotherHand{p.key}})
	require.ErrorContains(t, err, "was executed before")
	_, err = p.wallet.Prepare(t.Context(), "order", u, wallet.PrepareOptions{})
	require.ErrorContains(t, err, "was executed before")
	require.Equal(t, 1, p.submissions())
}
