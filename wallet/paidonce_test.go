package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// The tests of this file are the ways in which an intent was paid twice.

var (
	found    = walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 7}
	notFound = walletfi.SignatureStatus{}
)

// landsAt makes every sent transaction land at a time after the beginning.
func (r *rig) landsAt(at time.Duration) {
	r.status = func(int, string) (walletfi.SignatureStatus, error) {
		if time.Since(r.begun) >= at {
			return found, nil
		}
		return notFound, nil
	}
}

// TestServiceThatNamesAnEarlyEnd: the service says that its transaction ends
// soon, and sends it later.
func TestServiceThatNamesAnEarlyEnd(t *testing.T) {
	for _, blocks := range []uint64{10, 40, 100} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.landsAt((lifetime - 1) * slotTime)
			u := r.pay(t, 1)
			u.LastValidBlockHeight = r.height + blocks
			result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
		})
	}
}

// lagging answers for an older slot: what landed since then it does not know.
type lagging struct {
	*chain
	slots uint64
}

func (l lagging) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	got, err := l.chain.SignatureStatuses(ctx, signatures)
	for i, s := range got.Statuses {
		if s.Slot > got.AsOfSlot-l.slots {
			got.Statuses[i] = notFound
		}
	}
	return walletfi.SignatureStatuses{Statuses: got.Statuses, AsOfSlot: got.AsOfSlot - l.slots}, err
}

// BlockhashValid is the other node's: it does not lag.
func (l lagging) BlockhashValid(ctx context.Context, _ string) (walletfi.BlockhashState, error) {
	head, err := l.Head(ctx)
	return walletfi.BlockhashState{Valid: time.Since(l.begun) <= lifetime*slotTime, AsOfSlot: head.Slot}, err
}

// TestConfirmerThatLags: height and status are two nodes', and the transaction
// lands in its last block.
func TestConfirmerThatLags(t *testing.T) {
	for _, slots := range []uint64{5, 30, 60, 140} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, func(c *wallet.Config) { c.Confirmer = lagging{c.Confirmer.(*chain), slots} })
			const last = lifetime * slotTime
			r.status = func(int, string) (walletfi.SignatureStatus, error) {
				s := found
				if s.Slot = 1001 + lifetime; time.Since(r.begun) < last {
					s = notFound
				}
				return s, nil
			}
			result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
			require.NoError(t, err, "%d slots", slots)
			require.True(t, result.Confirmed())
		})
	}
}

// pooled is two nodes, of which the second answers the slot for the height.
type pooled struct {
	*chain
	asked *int
	first int // the node that answers first
}

func (p pooled) Head(ctx context.Context) (head walletfi.Head, err error) {
	head, err = p.chain.Head(ctx)
	if *p.asked++; (*p.asked+p.first)%2 == 0 {
		head.Height = head.Slot
	}
	return head, err
}

func TestNodeThatAnswersTheSlotForTheHeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Heights = pooled{c.Heights.(*chain), new(int), 0} })
		r.landsAt((lifetime - 1) * slotTime)
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
		require.NoError(t, err)
	})
}

// TestNodeThatShowsNothing: whatever it tells of statuses, heads and blockhashes, it can
// never say expired.
func TestNodeThatShowsNothing(t *testing.T) {
	for what, hide := range map[string]func(*chain) (walletfi.Confirmer, walletfi.BlockHeighter){
		"statuses": func(c *chain) (walletfi.Confirmer, walletfi.BlockHeighter) {
			return struct{ walletfi.Confirmer }{c}, nil
		},
		"heads too": func(c *chain) (walletfi.Confirmer, walletfi.BlockHeighter) {
			return struct{ walletfi.Confirmer }{c}, struct {
				walletfi.BlockHeighter
				walletfi.HeadReader
			}{c, c}
		},
		"blockhashes too": func(c *chain) (walletfi.Confirmer, walletfi.BlockHeighter) {
			return struct {
				walletfi.Confirmer
				walletfi.BatchConfirmer
				walletfi.HeadReader
				walletfi.BlockhashReader
			}{c, c, c, c}, nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRigWith(t, func(c *wallet.Config) { c.Confirmer, c.Heights = hide(c.Confirmer.(*chain)) })
			r.landsAt(24 * time.Hour)
			result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
			answersTo(t, err, walletfi.ErrOutcomeUnknown)
			require.Equal(t, []wallet.State{wallet.StateUnknown}, states(result), what)
			for range 3 {
				pause.For(t.Context(), 10*time.Minute)
				require.Equal(t, "no node is configured that can show what its ledger holds", r.open(t)[0].Missing, what)
			}
		})
	}
}

// TestServiceThatNamesNoHeight: nothing stays unknown for ever.
func TestServiceThatNamesNoHeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.landsAt(24 * time.Hour)
		u := r.pay(t, 1)
		u.LastValidBlockHeight = 0
		result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		answersTo(t, err, wallet.ErrExpired)
		require.Equal(t, []wallet.State{wallet.StateExpired}, states(result))
		require.Greater(t, time.Since(r.begun), (lifetime+2*wallet.Finality)*slotTime)
		require.Less(t, time.Since(r.begun), (lifetime+3*wallet.Finality)*slotTime)
	})
}

// TestRelayThatRefusesWhatItSent: a gateway replays a request, and the relay says
// of the second that it has been processed.
func TestRelayThatRefusesWhatItSent(t *testing.T) {
	for _, refusal := range []error{
		&walletfi.ResponseError{StatusCode: 400, Kind: walletfi.ErrInvalidRequest, Message: "already been processed"},
		&walletfi.ResponseError{StatusCode: 429, Kind: walletfi.ErrRateLimited},
		errors.New("a submitter of somebody else's"),
		errors.Join(walletfi.ErrNotSent, walletfi.ErrOutcomeUnknown),
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.submit = func(int, walletfi.Signed) error { return refusal }
			r.landsAt(10 * time.Second)
			result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
		})
	}
}

func TestSubmitterThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.submit = func(int, walletfi.Signed) error {
			require.Equal(t, wallet.KeySent, r.entry(t, "key:a").State, "recorded before it is sent")
			panic("after it was sent")
		}
		r.landsAt(10 * time.Second)
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
	})
}

// TestKeyThatHasPaid returns what was paid, whatever is built by then.
func TestKeyThatHasPaid(t *testing.T) {
	r := newRig(t)
	key := wallet.ExecuteOptions{Key: "order 1"}
	first, err := r.wallet.Execute(soon(t), r.pay(t, 2), key)
	require.NoError(t, err)
	requoted := r.pay(t, 2)
	requoted.Transactions = []walletfi.EncodedTransaction{r.transfer(t, 2, 77)} // in one
	requoted.Intent.MaxNetworkFeeLamports = new(walletfi.Amount(50_000))
	again, err := r.wallet.Execute(soon(t), requoted, key)
	require.NoError(t, err)
	require.True(t, again.Confirmed())
	require.Equal(t, first.Signatures(), again.Signatures())
	require.Equal(t, 2, r.submissions())
	requoted.Intent.Receive = nil // for a transfer to the shop nothing is received
	_, err = r.wallet.Execute(soon(t), requoted, wallet.ExecuteOptions{Key: "order 2"})
	require.NoError(t, err)
	require.Equal(t, 3, r.submissions())
	requoted.Intent.Service = "another"
	_, err = r.wallet.Execute(soon(t), requoted, key)
	require.ErrorContains(t, err, "is in use")
	answersTo(t, err, walletfi.ErrNotSent)
}

// TestRequotedSwapIsTheSameIntent: what a service quoted and capped is no part of
// the key that is derived, and nil is the same as empty.
func TestRequotedSwapIsTheSameIntent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, unproven)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		u := r.pay(t, 1)
		_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		again := r.pay(t, 1)
		again.Transactions[0] = r.transfer(t, 1, 77)
		again.Intent.MaxNetworkFeeLamports = new(walletfi.Amount(5_000_000))
		again.Intent.TipLamports, again.Intent.Burn, again.Intent.BurnAll = 7, []walletfi.Asset{}, []string{}
		_, err = r.wallet.Execute(soon(t), again, wallet.ExecuteOptions{})
		var open *wallet.UnsettledError
		require.ErrorAs(t, err, &open)
		another := r.pay(t, 1)
		another.Intent.Spend[0].Amount++
		another.Transactions[0] = r.transfer(t, 1, 78)
		r.submit = nil
		_, err = r.wallet.Execute(soon(t), another, wallet.ExecuteOptions{})
		require.NoError(t, err)
	})
}

// TestRetryFindsThePayment: the caller that tries again learns that it has paid.
func TestRetryFindsThePayment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, unproven)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		r.landsAt(time.Hour)
		u := r.pay(t, 1)
		first, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		pause.For(t.Context(), time.Hour)
		u.Transactions[0] = r.transfer(t, 1, 77)
		again, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.Equal(t, first.Signatures(), again.Signatures())
		require.Zero(t, r.submissions())
	})
}

// TestEndThatPassedWhileTheUserWasReading is no attack.
func TestEndThatPassedWhileTheUserWasReading(t *testing.T) {
	r := newRig(t)
	r.height = lastValid + 10
	result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
	answersTo(t, err, wallet.ErrExpired)
	require.NotErrorIs(t, err, signing.ErrRefused)
	require.Equal(t, signing.RuleLifetime, result.Report.Refusal.Rule)
	require.Empty(t, result.Steps)
}

// TestAttackThatCameLateIsAnAttack: that its end has passed too does not make it an
// offer that was read for too long.
func TestAttackThatCameLateIsAnAttack(t *testing.T) {
	r := newRig(t)
	r.height = lastValid + 10
	stolen := r.pay(t, 1)
	stolen.Transactions[0] = r.transfer(t, 1_000_000, 9)
	result, err := r.wallet.Execute(soon(t), stolen, wallet.ExecuteOptions{Guard: []signing.Option{signing.AtBlockHeight(lastValid - 50)}})
	answersTo(t, err, walletfi.ErrNotSent)
	require.ErrorIs(t, err, signing.ErrRefused)
	require.NotEqual(t, signing.RuleLifetime, result.Report.Refusal.Rule)
	require.Zero(t, r.submissions())
}

// TestEveryErrorIsOneOutcome: whatever goes wrong before the first byte leaves is
// "not sent".
func TestEveryErrorIsOneOutcome(t *testing.T) {
	r := newRig(t)
	empty := r.pay(t, 1)
	empty.Transactions = nil
	stolen := r.pay(t, 1)
	stolen.Transactions[0] = r.transfer(t, 1_000_000, 9)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, run := range map[string]func() error{
		"nothing to do": func() error { _, err := r.wallet.Execute(soon(t), empty, wallet.ExecuteOptions{}); return err },
		"refused":       func() error { _, err := r.wallet.Execute(soon(t), stolen, wallet.ExecuteOptions{}); return err },
		"context over":  func() error { _, err := r.wallet.Execute(over, r.pay(t, 1), wallet.ExecuteOptions{}); return err },
	} {
		t.Run(name, func(t *testing.T) { answersTo(t, run(), walletfi.ErrNotSent) })
	}
	require.Zero(t, r.submissions())
	require.Empty(t, r.open(t))
}

// TestDurableNonceDoesNotExpireByHeight: it lives until the nonce has another value, and
// is dead if another transaction used it, or none that the ledger has.
func TestDurableNonceDoesNotExpireByHeight(t *testing.T) {
	for name, used := range map[string]string{"it landed": "ours", "another used the nonce": solana.Signature{7}.String(), "nobody tells": ""} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				account, value := solana.NewWallet().PublicKey(), solana.Hash{42}
				r := newRigWith(t, func(c *wallet.Config) { c.ConfirmTimeout = 2 * time.Hour })
				r.landsAt(24 * time.Hour)
				if used == "ours" {
					r.landsAt(time.Hour)
				}
				r.usesNonce(t, account, value, time.Hour, func() string {
					if used == "ours" {
						return r.sent[0].Signature
					}
					return used
				})
				result, err := r.wallet.Execute(t.Context(), r.nonced(t, account, value), nonceOption(account, value))
				require.GreaterOrEqual(t, time.Since(r.begun), time.Hour)
				if used == "ours" {
					require.NoError(t, err)
					return
				}
				answersTo(t, err, wallet.ErrExpired)
				require.Equal(t, []wallet.State{wallet.StateExpired}, states(result))
			})
		})
	}
}

// usesNonce gives a durable nonce another value at a time after the beginning. By tells
// the signature of what used it.
func (c *chain) usesNonce(t *testing.T, account solana.PublicKey, value solana.Hash, at time.Duration, by func() string) {
	end := c.height + 1000 + uint64(at/slotTime)
	c.Nonce = func(asked string, slot uint64) string {
		require.Equal(t, account.String(), asked)
		if slot < end {
			return value.String()
		}
		return solana.Hash{43}.String()
	}
	c.Used = func(asked, of string) string {
		require.Equal(t, []string{account.String(), value.String()}, []string{asked, of})
		return by()
	}
}

// nonced pays on a durable nonce.
func (r *rig) nonced(t *testing.T, account solana.PublicKey, value solana.Hash) walletfi.Unsigned {
	t.Helper()
	tx, err := solana.NewTransaction([]solana.Instruction{
		system.NewAdvanceNonceAccountInstruction(account, solana.SysVarRecentBlockHashesPubkey, r.owner).Build(),
		system.NewTransferInstruction(1, r.owner, r.shop).Build(),
	}, value, solana.TransactionPayer(r.owner))
	require.NoError(t, err)
	tx.Signatures = make([]solana.Signature, 1)
	text, err := tx.ToBase64()
	require.NoError(t, err)
	u := r.pay(t, 1)
	u.LastValidBlockHeight = 0
	u.Transactions = []walletfi.EncodedTransaction{walletfi.Base64Transaction(text)}
	return u
}

// TestPartOfASetIsLeftToDo: the same key tells it again and sends nothing.
func TestPartOfASetIsLeftToDo(t *testing.T) {
	r := newRig(t)
	u, key := r.pay(t, 3), wallet.ExecuteOptions{Key: "set"}
	r.submit = func(n int, _ walletfi.Signed) error {
		if n == 1 {
			return walletfi.ErrNotSent
		}
		return nil
	}
	want := []wallet.State{wallet.StateConfirmed, wallet.StateNotSent, wallet.StateNotSent}
	for range 2 {
		result, err := r.wallet.Execute(soon(t), u, key)
		answersTo(t, err, wallet.ErrStopped)
		require.Equal(t, want, states(result))
		require.Equal(t, []int{1, 2}, result.Remaining())
		require.Equal(t, 1, r.submissions())
	}
}

// TestHeadThatWasWrongAtSigning: the node answers the slot for the height when
// the transaction is signed, and the service names no end. It expires all the
// same.
func TestHeadThatWasWrongAtSigning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Heights = pooled{c.Heights.(*chain), new(int), 1} })
		r.landsAt(24 * time.Hour)
		u := r.pay(t, 1)
		u.LastValidBlockHeight = 0
		_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		answersTo(t, err, wallet.ErrExpired)
	})
}

// TestBlockhashThatEndedLongAgo: the service names an end that its blockhash does not
// have. What could never land, and never be proven dead, is not sent.
func TestBlockhashThatEndedLongAgo(t *testing.T) {
	for _, ahead := range []uint64{160, 210, 230} {
		for age, sent := range map[time.Duration]int{time.Second: 1, 2 * time.Minute: 0} {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				u := r.pay(t, 1)
				pause.For(t.Context(), age)
				u.LastValidBlockHeight = r.tip().Height + ahead
				begun := time.Now()
				_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
				require.Equal(t, sent, r.submissions(), "%v old, %d blocks ahead", age, ahead)
				if sent > 0 {
					require.NoError(t, err)
					return
				}
				answersTo(t, err, walletfi.ErrNotSent)
				require.ErrorContains(t, err, "no node calls its blockhash valid")
				require.Less(t, time.Since(begun), time.Minute)
			})
		}
	}
}

// settling is a node that calls a blockhash valid only when its block is confirmed.
type settling struct{ *chain }

func (s settling) BlockhashValid(ctx context.Context, blockhash string) (walletfi.BlockhashState, error) {
	head, err := s.Head(ctx)
	return walletfi.BlockhashState{Valid: s.Block(blockhash).Slot+2 <= head.Slot, AsOfSlot: head.Slot}, err
}

// TestBlockhashOfNow: a transaction that was built on a block newer than the head that is known is sent at once.
func TestBlockhashOfNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.Confirmer = settling{c.Confirmer.(*chain)} })
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		pause.For(t.Context(), 2*slotTime)
		u := r.pay(t, 2)
		u.Transactions, u.LastValidBlockHeight = u.Transactions[1:], r.tip().Height+lifetime+1
		begun, waited := time.Now(), time.Hour
		r.submit = func(int, walletfi.Signed) error {
			waited = time.Since(begun)
			return nil
		}
		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "b"})
		require.NoError(t, err)
		require.Equal(t, 2, r.submissions())
		require.Zero(t, waited)
	})
}
