package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// effectsRig is a rig whose node tells effects as a test says, each second at most.
func effectsRig(t *testing.T, tell func(asked int, e *walletfi.Effects) (*walletfi.Effects, error)) (*rig, *effectsNode) {
	t.Helper()
	node := &effectsNode{}
	r := newRigWith(t, func(c *wallet.Config) { c.Effects, c.PollEvery = node, 100*time.Millisecond })
	node.tell = func(asked int, signature string) (*walletfi.Effects, error) {
		return tell(asked, brought(r.owner.String(), signature))
	}
	return r, node
}

// TestEffectsAreAskedForAgain: eight times, after what may pass; once, after what does
// not; and not for longer than the caller waits.
func TestEffectsAreAskedForAgain(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		err   error
		tries int // that fail
		asked int
	}{
		"never there":       {walletfi.ErrNotFound, 99, 8},
		"there at last":     {walletfi.ErrNotFound, 7, 8},
		"away for a moment": {walletfi.ErrUnavailable, 3, 4},
		"down":              {down, 99, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, node := effectsRig(t, func(asked int, e *walletfi.Effects) (*walletfi.Effects, error) {
					if asked <= c.tries {
						return nil, c.err
					}
					return e, nil
				})
				result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
				require.NoError(t, err)
				require.Len(t, node.asked, c.asked)
				require.Equal(t, c.tries < 8, result.Steps[0].Effects != nil)
				if c.tries > 8 {
					require.ErrorIs(t, result.Steps[0].EffectsErr, c.err)
					require.ErrorContains(t, result.Steps[0].EffectsErr, "what it changed is not known: ")
				}
			})
		})
	}
	t.Run("the caller has gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			r, node := effectsRig(t, func(int, *walletfi.Effects) (*walletfi.Effects, error) {
				cancel()
				return nil, walletfi.ErrNotFound
			})
			result, err := r.wallet.Execute(ctx, r.pay(t, 1), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.Len(t, node.asked, 1)
			require.ErrorIs(t, result.Steps[0].EffectsErr, walletfi.ErrNotFound)
		})
	})
}

// TestEffectsOfAnotherSlot: they are another execution's. A status without a slot is held
// against none.
func TestEffectsOfAnotherSlot(t *testing.T) {
	for _, c := range []struct {
		status, effects uint64
		known           bool
	}{{7, 7, true}, {7, 8, false}, {1, 2, false}, {1, 1, true}, {0, 9, true}} {
		synctest.Test(t, func(t *testing.T) {
			r, _ := effectsRig(t, func(_ int, e *walletfi.Effects) (*walletfi.Effects, error) {
				e.Slot = c.effects
				return e, nil
			})
			r.status = func(int, string) (walletfi.SignatureStatus, error) {
				return walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed, Slot: c.status}, nil
			}
			result, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.Equal(t, c.known, result.Steps[0].Effects != nil, "%v", c)
			if !c.known {
				require.ErrorIs(t, result.Steps[0].EffectsErr, walletfi.ErrMismatch)
			}
		})
	}
}

// TestEffectsOfAFailure: its fee is told too; what was never executed has none. Place tells
// the stage only after a success.
func TestEffectsOfAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, node := effectsRig(t, func(_ int, e *walletfi.Effects) (*walletfi.Effects, error) {
			e.Err, e.Tokens = "Custom", nil
			return e, nil
		})
		r.status = func(int, string) (walletfi.SignatureStatus, error) {
			s := found
			s.Err, s.Commitment = "Custom", walletfi.CommitmentFinalized
			return s, nil
		}
		var told []string
		placed, err := r.wallet.Place(soon(t), &builder{r: r, t: t, sets: 2}, wallet.PlaceOptions{Key: "a", Progress: stages(&told)})
		requireStage(t, err, wallet.StageConfirm, wallet.ErrFailed)
		require.NotContains(t, told, "effects 1 0/0")
		require.NotNil(t, placed.Result.Steps[0].Effects)
		require.Nil(t, placed.Result.Steps[1].Effects)
		require.NoError(t, placed.Result.Steps[1].EffectsErr)
		require.Len(t, node.asked, 1)
		_, lost, known := placed.Net(r.owner.String(), walletfi.NativeMint)
		require.True(t, known)
		require.Equal(t, walletfi.Amount(5000), lost)
	})
}

// TestNetOfFills: a transaction that fills several times, or is the order's own too,
// counts once; of an order that is not known to be filled nothing is known.
func TestNetOfFills(t *testing.T) {
	change := func(after walletfi.Amount) *walletfi.Effects {
		return &walletfi.Effects{Tokens: []walletfi.TokenChange{{Account: "a", Owner: "me", Mint: "m", Change: walletfi.Change{After: after}}}}
	}
	fill := func(signature string, after walletfi.Amount) wallet.FillStep {
		return wallet.FillStep{OrderFill: walletfi.OrderFill{Signature: signature}, Effects: change(after)}
	}
	p := &wallet.Placed{
		FilledLater: true, End: &walletfi.OrderEnd{Filled: true},
		Result: wallet.Result{Steps: []wallet.Step{{State: wallet.StateConfirmed, Signature: "own", Effects: change(1)}}},
		Fills:  []wallet.FillStep{fill("f", 10), fill("f", 10), fill("own", 1), fill("g", 100)},
	}
	gained, lost, known := p.Net("me", "m")
	require.Equal(t, []any{walletfi.Amount(111), walletfi.Amount(0), true}, []any{gained, lost, known})
	for _, end := range []*walletfi.OrderEnd{nil, {Filled: false}} {
		p.End = end
		gained, lost, known = p.Net("me", "m")
		require.Equal(t, []any{walletfi.Amount(0), walletfi.Amount(0), false}, []any{gained, lost, known})
	}
	p.FilledLater = false
	_, _, known = p.Net("me", "m")
	require.True(t, known)
}
