package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var errLost = &walletfi.OutcomeUnknownError{Cause: errors.New("the connection broke")}

func TestExecuteConfirmsEachBeforeTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		var order []int
		r.submit = func(n int, _ walletfi.Signed) error { order = append(order, n); return nil }
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			order = append(order, -1)
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentFinalized}, nil
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 3), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		require.Equal(t, []int{0, -1, 1, -1, 2, -1}, order)
		require.NotNil(t, result.Report)
		for i, step := range result.Steps {
			require.Equal(t, wallet.StateConfirmed, step.State)
			require.Equal(t, r.sent[i].Signature, step.Signature)
		}
	})
}

func TestExecuteSignsNothingWhereTheGuardRefuses(t *testing.T) {
	r := newRig(t)
	u := r.pay(t, 2)
	u.Transactions[1] = r.transfer(t, 1_000_000, 9)
	result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
	var refusal *signing.GuardError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, 1, refusal.Transaction)
	require.Empty(t, result.Steps)
	require.Equal(t, refusal, result.Report.Refusal)
	require.Zero(t, r.submissions())
}

func TestExecuteStopsAtTheFirstFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		u := r.pay(t, 3)
		r.status = func(asked int, _ string) (walletfi.SignatureStatus, error) {
			s := walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}
			if asked == 2 {
				s.Err, s.Commitment = `{"InstructionError":[0,{"Custom":1}]}`, walletfi.CommitmentFinalized
			}
			return s, nil
		}
		result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrRejected)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		var at *wallet.StepError
		require.ErrorAs(t, err, &at)
		require.Equal(t, 1, at.Index)
		require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateFailed, wallet.StateNotSent}, states(result))
		require.Equal(t, 2, r.submissions())
		require.Empty(t, r.open(t), "a failed transaction is settled")
	})
}

func states(r *wallet.Result) (all []wallet.State) {
	for _, s := range r.Steps {
		all = append(all, s.State)
	}
	return all
}

func TestExecuteRefusedBySubmitter(t *testing.T) {
	r := newRig(t)
	r.submit = func(int, walletfi.Signed) error {
		return errors.Join(walletfi.ErrNotSent, &walletfi.ResponseError{Kind: walletfi.ErrInvalidRequest})
	}
	result, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.Equal(t, []wallet.State{wallet.StateNotSent, wallet.StateNotSent}, states(result))
	require.Zero(t, r.asked)
	require.NotEmpty(t, result.Steps[0].Signature, "the signature is known before it is sent")
}

func TestLostAnswerIsSettledByTheSignature(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		r.status = func(asked int, _ string) (walletfi.SignatureStatus, error) {
			switch asked {
			case 1:
				return walletfi.SignatureStatus{}, nil
			case 2:
				return walletfi.SignatureStatus{}, errors.New("the node is away")
			case 3:
				return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentProcessed}, nil
			}
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}, nil
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.Equal(t, 4, r.asked)
		require.True(t, result.Confirmed())
	})
}

func TestExpiredWhenTheHeightHasPassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		r.height = lastValid - 3
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
		require.ErrorIs(t, err, wallet.ErrExpired)
		require.Equal(t, []wallet.State{wallet.StateExpired}, states(result))
		require.Greater(t, r.asked, 3, "asked once more after the height had passed")
		require.Empty(t, r.open(t))
	})
}

// TestLaterTransactionThatExpiredIsNotSent: the confirmation takes longer than the
// service says that the second lives. That it has expired is said of a finalized end.
func TestLaterTransactionThatExpiredIsNotSent(t *testing.T) {
	for blocks, want := range map[time.Duration]wallet.State{105: wallet.StateNotSent, 170: wallet.StateExpired} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.landsAt(blocks * slotTime)
			result, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{})
			if want == wallet.StateExpired {
				answersTo(t, err, wallet.ErrExpired)
				require.ErrorContains(t, err, "ask for a new quote")
			} else {
				answersTo(t, err, wallet.ErrStopped)
				require.ErrorContains(t, err, "by the node's word, block height 110")
			}
			require.Equal(t, []wallet.State{wallet.StateConfirmed, want}, states(result))
			require.Equal(t, []int{1}, result.Remaining())
			require.NotEmpty(t, r.sent)
			for _, tx := range r.sent {
				require.Equal(t, result.Steps[0].Signature, tx.Signature, "the second was not sent")
			}
		})
	}
}

// TestBlockhashThatIsGone: a node that does not know a blockhash may not know it
// yet. It is given the same bytes until it does, or until it is proven gone.
func TestBlockhashThatIsGone(t *testing.T) {
	for gone, want := range map[int][]wallet.State{
		0: {wallet.StateExpired, wallet.StateNotSent},
		1: {wallet.StateConfirmed, wallet.StateExpired},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			refused := 0
			r.submit = func(n int, _ walletfi.Signed) error {
				if n == gone {
					refused++
					return fmt.Errorf("%w: %w: %w", walletfi.ErrNotSent, walletfi.ErrRejected, walletfi.ErrBlockhashNotFound)
				}
				return nil
			}
			u := r.pay(t, 2)
			u.LastValidBlockHeight = 0 // not every builder tells one
			result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			require.Equal(t, want, states(result))
			require.Greater(t, refused, 20)
			answersTo(t, err, wallet.ErrExpired)
			require.Empty(t, r.open(t))
		})
	}
}

// TestNodeThatLags knows the blockhash only later.
func TestNodeThatLags(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.submit = func(int, walletfi.Signed) error {
			if time.Since(r.begun) < 3*time.Second {
				return fmt.Errorf("%w: %w", walletfi.ErrNotSent, walletfi.ErrBlockhashNotFound)
			}
			return nil
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
	})
}

// answersTo requires that err answers to exactly one of the outcomes.
func answersTo(t *testing.T, err, want error) {
	t.Helper()
	for _, outcome := range []error{walletfi.ErrNotSent, wallet.ErrExpired, wallet.ErrFailed, walletfi.ErrOutcomeUnknown} {
		require.Equal(t, outcome == want, errors.Is(err, outcome), "%v: %v", outcome, err)
	}
	require.ErrorIs(t, err, want)
}

func TestUnknownIsNotSignedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, unproven)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		u := r.pay(t, 1)
		begun := time.Now()
		result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, []wallet.State{wallet.StateUnknown}, states(result))
		require.InDelta(t, 90, time.Since(begun).Seconds(), 5)
		require.Equal(t, result.Steps[0].Signature, r.open(t)[0].Signature)

		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		var open *wallet.UnsettledError
		require.ErrorAs(t, err, &open)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, result.Steps[0].Signature, open.Signature)

		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: true, Err: "InsufficientFunds", Commitment: walletfi.CommitmentFinalized}, nil
		}
		r.submit = func(int, walletfi.Signed) error { return errLost }
		_, err = r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, "the earlier one failed, so this one was tried")
		require.ErrorIs(t, err, walletfi.ErrRejected)
	})
}

func TestCancelLeavesTheOutcomeUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.status = func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil }
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		begun := time.Now()
		result, err := r.wallet.Execute(ctx, r.pay(t, 2), wallet.ExecuteOptions{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Equal(t, 3*time.Second, time.Since(begun))
		require.Equal(t, []wallet.State{wallet.StateUnknown, wallet.StateNotSent}, states(result))
	})
}

// bundle notes what it is given.
type bundle struct {
	sent *[][]walletfi.Signed
	err  error
}

func (b bundle) SubmitBundle(_ context.Context, txs []walletfi.Signed) (string, error) {
	*b.sent = append(*b.sent, slices.Clone(txs))
	return "bundle-1", b.err
}

func TestExecuteBundle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}, nil
		}
		var sent [][]walletfi.Signed
		var told [][2]int
		unsigned := r.pay(t, 2)
		result, err := r.wallet.ExecuteBundle(soon(t), unsigned, bundle{sent: &sent}, wallet.ExecuteOptions{
			Progress: func(confirmed, total int) { told = append(told, [2]int{confirmed, total}) },
		})
		require.NoError(t, err)
		require.True(t, result.Confirmed())
		require.Zero(t, r.submissions())
		require.Equal(t, [][2]int{{2, 2}}, told, "once, at the end")
		require.NotEmpty(t, sent)
		for _, txs := range sent {
			require.Len(t, txs, 2, "always whole")
			for i, tx := range txs {
				requireSigned(t, r, unsigned.Transactions[i], tx)
				require.Equal(t, result.Steps[i].Signature, tx.Signature)
			}
		}
		another := r.pay(t, 2)
		for i := range another.Transactions {
			another.Transactions[i] = r.transfer(t, 1, byte(70+i))
		}
		result, err = r.wallet.ExecuteBundle(soon(t), another, bundle{&sent, errors.Join(walletfi.ErrNotSent, walletfi.ErrInvalidRequest)}, wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
		require.Equal(t, []wallet.State{wallet.StateNotSent, wallet.StateNotSent}, states(result))
	})
}

// requireSigned requires that a submitter got the message that was built, with the
// owner's valid signature.
func requireSigned(t *testing.T, r *rig, built walletfi.EncodedTransaction, sent walletfi.Signed) {
	t.Helper()
	before, err := signing.Decode(built)
	require.NoError(t, err)
	after, err := signing.Decode(sent.Transaction)
	require.NoError(t, err)
	require.Equal(t, before.Message(), after.Message())
	signature, err := signing.ParseSignature(sent.Signature)
	require.NoError(t, err)
	require.True(t, signature.Verify(signing.PublicKey(r.owner), after.Message()))
	require.Equal(t, r.owner.String(), sent.Owner)
}

// TestSubmittersGetWhatWasBuilt: one by one, in order.
func TestSubmittersGetWhatWasBuilt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		unsigned := r.pay(t, 3)
		_, err := r.wallet.Execute(soon(t), unsigned, wallet.ExecuteOptions{})
		require.NoError(t, err)
		require.Len(t, r.sent, 3)
		for i, tx := range r.sent {
			requireSigned(t, r, unsigned.Transactions[i], tx)
		}
	})
}

// TestStepErrorNamesItsTransaction: the one at which the set stopped.
func TestStepErrorNamesItsTransaction(t *testing.T) {
	for failing := range 3 {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t)
			r.status = func(_ int, signature string) (walletfi.SignatureStatus, error) {
				status := walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentFinalized, Slot: 1001}
				if len(r.sent) > failing && r.sent[failing].Signature == signature {
					status.Err = "InsufficientFunds"
				}
				return status, nil
			}
			result, err := r.wallet.Execute(soon(t), r.pay(t, 3), wallet.ExecuteOptions{})
			var stopped *wallet.StepError
			require.ErrorAs(t, err, &stopped)
			require.Equal(t, failing, stopped.Index)
			require.Equal(t, wallet.StateFailed, stopped.State)
			require.Equal(t, result.Steps[failing].Signature, stopped.Signature)
			require.ErrorContains(t, err, fmt.Sprintf("transaction %d is failed: ", failing+1))
			require.Len(t, r.sent, failing+1)
		})
	}
}

// failingHeads does not tell the head while it is away.
type failingHeads struct {
	*chain
	away *bool
}

func (h failingHeads) Head(ctx context.Context) (head walletfi.Head, err error) {
	if *h.away {
		return walletfi.Head{}, errors.New("away")
	}
	return h.chain.Head(ctx)
}

// TestSecondTransactionNeedsTheHeight: if it is not known whether the second
// transaction can still land, it is not sent.
func TestSecondTransactionNeedsTheHeight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := false
		r := newRigWith(t, func(c *wallet.Config) { c.Heights = failingHeads{c.Heights.(*chain), &away} })
		confirmedAt := time.Time{}
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			if since := time.Since(r.begun); since < 10*time.Second {
				away = since > 5*time.Second
				return walletfi.SignatureStatus{}, nil
			}
			confirmedAt = time.Now()
			return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 1001}, nil
		}
		result, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{})
		require.NotZero(t, confirmedAt)
		answersTo(t, err, wallet.ErrStopped)
		require.ErrorContains(t, err, "the block height is not known, so that it was not sent: away")
		require.Equal(t, []wallet.State{wallet.StateConfirmed, wallet.StateNotSent}, states(result))
		for _, tx := range r.sent {
			require.Equal(t, result.Steps[0].Signature, tx.Signature)
		}
	})
}

// stillHeads tells a height that a test sets.
type stillHeads struct{ height *uint64 }

func (h stillHeads) Head(context.Context) (head walletfi.Head, err error) {
	return walletfi.Head{Slot: *h.height + 1000, Height: *h.height}, nil
}

func (h stillHeads) BlockHeight(context.Context) (uint64, error) { return *h.height, nil }

// TestLastValidHeight: at the last valid height a transaction can still land; one past
// it, it is not sent.
func TestLastValidHeight(t *testing.T) {
	for height, want := range map[uint64][]wallet.State{
		lastValid:     {wallet.StateConfirmed, wallet.StateConfirmed},
		lastValid + 1: {wallet.StateConfirmed, wallet.StateNotSent},
	} {
		synctest.Test(t, func(t *testing.T) {
			now := uint64(lastValid - 5)
			r := newRigWith(t, func(c *wallet.Config) { c.Heights = stillHeads{&now} })
			r.status = func(int, string) (walletfi.SignatureStatus, error) {
				if since := time.Since(r.begun); since < 10*time.Second {
					if since > 5*time.Second {
						now = height
					}
					return walletfi.SignatureStatus{}, nil
				}
				return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: 1001}, nil
			}
			result, err := r.wallet.Execute(soon(t), r.pay(t, 2), wallet.ExecuteOptions{})
			require.Equal(t, want, states(result), height)
			require.Equal(t, want[1] == wallet.StateConfirmed, err == nil)
		})
	}
}

// TestPollsLessAndLess: a transaction that is not found is asked for after each pause
// of twice the one before, up to the longest.
func TestPollsLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, func(c *wallet.Config) { c.ResendEvery = time.Hour })
		var at []time.Duration
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			at = append(at, time.Since(r.begun))
			return walletfi.SignatureStatus{}, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		_, err := r.wallet.Execute(ctx, r.pay(t, 1), wallet.ExecuteOptions{})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
		require.Greater(t, len(at), 5)
		var pauses []time.Duration
		for i := range at[1:] {
			pauses = append(pauses, at[i+1]-at[i])
		}
		require.Equal(t, []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 4 * time.Second}, pauses[:5])
	})
}

// TestEarlierOutcomeThatNobodyTells: if the node cannot tell what became of the earlier
// transaction, nothing is signed.
func TestEarlierOutcomeThatNobodyTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRigWith(t, unproven)
		r.submit = func(int, walletfi.Signed) error { return errLost }
		result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
		answersTo(t, err, walletfi.ErrOutcomeUnknown)
		stored := func() (e wallet.Entry) {
			n := 0
			for listed, err := range r.journal.List(t.Context(), wallet.Query{}) {
				require.NoError(t, err)
				e, n = listed, n+1
			}
			require.Equal(t, 1, n)
			return e
		}
		before := stored()
		require.NotEmpty(t, before.Steps)
		tries := 0
		r.submit = func(int, walletfi.Signed) error { tries++; return nil }
		for _, cannot := range []func(int, string) (walletfi.SignatureStatus, error){
			func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, errLost },
			func(int, string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil },
			func(int, string) (walletfi.SignatureStatus, error) {
				return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentProcessed, Slot: 7}, nil
			},
		} {
			r.status = cannot
			_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
			var open *wallet.UnsettledError
			require.ErrorAs(t, err, &open)
			require.False(t, open.Running)
			require.Equal(t, []string{result.Steps[0].Signature}, open.Signatures)
			after := stored()
			require.Equal(t, before.Steps[0].Transaction, after.Steps[0].Transaction, "the same bytes")
			require.Equal(t, before.SignedAt, after.SignedAt, "nothing was signed")
			require.Zero(t, after.Steps[0].Slot, "nothing is known")
		}
		require.Zero(t, tries)
	})
}

func TestNewRefusesWhatIsMissing(t *testing.T) {
	_, err := wallet.New(wallet.Config{Commitment: "soon", PollEvery: -1})
	for _, field := range []string{"Guard", "Submitter", "Confirmer", "Commitment", "PollEvery"} {
		require.ErrorContains(t, err, field)
	}
}

// TestExecuteBundleWithoutASubmitter signs nothing.
func TestExecuteBundleWithoutASubmitter(t *testing.T) {
	r := newRig(t)
	result, err := r.wallet.ExecuteBundle(soon(t), r.pay(t, 1), nil, wallet.ExecuteOptions{})
	var invalid *walletfi.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "bundles", invalid.Field)
	answersTo(t, err, walletfi.ErrNotSent)
	require.Nil(t, result)
}
