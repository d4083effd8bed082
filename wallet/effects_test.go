package wallet_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// effectsNode tells what a test tells it.
type effectsNode struct {
	mu    sync.Mutex
	asked []string
	tell  func(asked int, signature string) (*walletfi.Effects, error)
}

func (n *effectsNode) Effects(_ context.Context, signature string) (*walletfi.Effects, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, signature)
	return n.tell(len(n.asked), signature)
}

// These are effects of the owner's and of another's.
func brought(owner, signature string) *walletfi.Effects {
	return &walletfi.Effects{
		Signature: signature, Slot: 7, FeePayer: owner, Fee: 5000,
		Lamports: []walletfi.LamportChange{{Account: owner, Change: walletfi.Change{Before: 9000, After: 4000}}, {Account: "other", Change: walletfi.Change{After: 1}}},
		Tokens: []walletfi.TokenChange{
			{Account: "mine", Owner: owner, Mint: "mint", Decimals: 6, Change: walletfi.Change{After: 42}},
			{Account: "his", Owner: "other", Mint: "mint", Decimals: 6, Change: walletfi.Change{Before: 42}},
		},
	}
}

func withEffects(t *testing.T, tell func(r *rig) func(asked int, signature string) (*walletfi.Effects, error)) (*rig, *effectsNode) {
	node := &effectsNode{}
	r := newRigWith(t, func(c *wallet.Config) { c.Effects, c.PollEvery = node, 1 })
	node.tell = tell(r)
	return r, node
}

// TestEffects: an executed transaction tells what the owner got, again when
// it is asked for under its key, and in JSON.
func TestEffects(t *testing.T) {
	r, node := withEffects(t, func(r *rig) func(int, string) (*walletfi.Effects, error) {
		return func(asked int, signature string) (*walletfi.Effects, error) {
			if asked < 3 {
				return nil, walletfi.ErrNotFound // it lags a moment
			}
			return brought(r.owner.String(), signature), nil
		}
	})
	u := r.pay(t, 1)
	for range 2 {
		result, err := r.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		step := result.Steps[0]
		require.NoError(t, step.EffectsErr)
		require.Equal(t, brought(r.owner.String(), step.Signature).Of(r.owner.String()), step.Effects)
		require.Equal(t, walletfi.Amount(42), step.Effects.Token(r.owner.String(), "mint").Gained())
		require.Len(t, step.Effects.Lamports, 1)
		text, err := json.Marshal(result)
		require.NoError(t, err)
		var read wallet.Result
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, step.Effects, read.Steps[0].Effects)
	}
	require.Len(t, node.asked, 4)
}

// TestEffectsUnknown: a payment is confirmed whether its effects are told or not, and
// what is not told is unknown.
func TestEffectsUnknown(t *testing.T) {
	down := errors.New("down")
	for name, c := range map[string]struct {
		tell func(e *walletfi.Effects) (*walletfi.Effects, error)
		want error
	}{
		"an error":            {func(*walletfi.Effects) (*walletfi.Effects, error) { return nil, down }, down},
		"never there":         {func(*walletfi.Effects) (*walletfi.Effects, error) { return nil, walletfi.ErrNotFound }, walletfi.ErrNotFound},
		"nothing":             {func(*walletfi.Effects) (*walletfi.Effects, error) { return nil, nil }, walletfi.ErrDecode},
		"another transaction": {func(e *walletfi.Effects) (*walletfi.Effects, error) { e.Signature = "x"; return e, nil }, walletfi.ErrMismatch},
		"a failure":           {func(e *walletfi.Effects) (*walletfi.Effects, error) { e.Err = "x"; return e, nil }, walletfi.ErrMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := withEffects(t, func(r *rig) func(int, string) (*walletfi.Effects, error) {
				return func(_ int, signature string) (*walletfi.Effects, error) {
					return c.tell(brought(r.owner.String(), signature))
				}
			})
			result, err := r.wallet.Execute(t.Context(), r.pay(t, 1), wallet.ExecuteOptions{})
			require.NoError(t, err)
			require.True(t, result.Confirmed())
			require.Nil(t, result.Steps[0].Effects)
			require.ErrorIs(t, result.Steps[0].EffectsErr, c.want)
			text, err := json.Marshal(result)
			require.NoError(t, err)
			var read wallet.Result
			require.NoError(t, json.Unmarshal(text, &read))
			require.EqualError(t, read.Steps[0].EffectsErr, result.Steps[0].EffectsErr.Error())
		})
	}
}

func (j *judge) Effects(_ context.Context, signature string) (*walletfi.Effects, error) {
	return j.effects(signature)
}

// Effects must not be asked for: the nodes are.
func (askless) Effects(context.Context, string) (*walletfi.Effects, error) {
	return nil, errors.New("ask the nodes")
}

// TestEffectsOfAPanel: of three nodes one may lie or be silent; without two that say
// the same, nothing is known. In the compute units used they need not agree.
func TestEffectsOfAPanel(t *testing.T) {
	for _, c := range []struct {
		tell  [3]walletfi.Amount // what each node says has arrived, 0 for an error
		known bool
	}{
		{[3]walletfi.Amount{5, 5, 5}, true}, {[3]walletfi.Amount{9, 5, 5}, true}, {[3]walletfi.Amount{5, 5, 9}, true}, {[3]walletfi.Amount{5, 0, 5}, true},
		{[3]walletfi.Amount{5, 6, 7}, false}, {[3]walletfi.Amount{5, 0, 6}, false}, {[3]walletfi.Amount{5, 0, 0}, false}, {[3]walletfi.Amount{0, 0, 0}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			ledger := &court{chain: newChain(t, 1000), landed: map[string]uint64{}, lands: true}
			var owner string
			var units uint64 // the most that any node tells
			for i, amount := range c.tell {
				j := ledger.join(t)
				if amount > 0 {
					units = max(units, uint64(20-i))
				}
				j.effects = func(signature string) (*walletfi.Effects, error) {
					if amount == 0 {
						return nil, errors.New("garbled")
					}
					e := brought(owner, signature)
					e.Slot = ledger.landed[signature]
					e.Tokens[0].After, e.Units = amount, uint64(20-i)
					return e, nil
				}
			}
			r := newRigWith(t, func(cfg *wallet.Config) {
				cfg.Submitter, cfg.Confirmer, cfg.Effects, cfg.Heights, cfg.ConfirmTimeout = ledger, askless{ledger}, askless{ledger}, nil, 10*time.Minute
			})
			owner = r.owner.String()
			u := r.pay(t, 1)
			u.LastValidBlockHeight = lastValid
			result, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{})
			require.NoError(t, err)
			gained, lost, known := result.Net(owner, "mint")
			require.Equal(t, c.known, known, "%v", c.tell)
			require.Equal(t, c.known, result.Steps[0].EffectsErr == nil, "%v", c.tell)
			require.Equal(t, !c.known, errors.Is(result.Steps[0].EffectsErr, walletfi.ErrUnavailable), "%v", c.tell)
			if known {
				require.Equal(t, units, result.Steps[0].Effects.Units, "%v", c.tell)
				require.Equal(t, walletfi.Amount(5), gained)
				require.Zero(t, lost)
				_, lost, _ = result.Net(owner, walletfi.NativeMint)
				require.Equal(t, walletfi.Amount(5000), lost)
			}
		})
	}
}

// TestProgress: a set tells each confirmation, one that stops none further.
func TestProgress(t *testing.T) {
	var told [][2]int
	note := wallet.ExecuteOptions{Progress: func(confirmed, total int) { told = append(told, [2]int{confirmed, total}) }}
	_, err := newRig(t).wallet.Execute(t.Context(), newRig(t).pay(t, 3), note)
	require.NoError(t, err)
	require.Equal(t, [][2]int{{1, 3}, {2, 3}, {3, 3}}, told)
	told = nil
	r := newRig(t)
	r.submit = func(n int, _ walletfi.Signed) error {
		if n == 1 {
			return walletfi.ErrNotSent
		}
		return nil
	}
	_, err = r.wallet.Execute(t.Context(), r.pay(t, 3), note)
	require.Error(t, err)
	require.Equal(t, [][2]int{{1, 3}}, told)
}

// TestNetOfEffects: amounts beyond 2^63, SOL in both its forms, failed transactions, and
// what is not known.
func TestNetOfEffects(t *testing.T) {
	const all = 1<<64 - 1
	token := func(mint string, was, is walletfi.Amount) walletfi.TokenChange {
		return walletfi.TokenChange{Account: "a", Owner: "me", Mint: mint, Change: walletfi.Change{Before: was, After: is}}
	}
	step := func(lamports walletfi.Change, tokens ...walletfi.TokenChange) wallet.Step {
		return wallet.Step{State: wallet.StateConfirmed, Effects: &walletfi.Effects{
			Lamports: []walletfi.LamportChange{{Account: "me", Change: lamports}}, Tokens: tokens,
		}}
	}
	none := walletfi.Change{}
	sol := walletfi.NativeMint
	for name, c := range map[string]struct {
		steps        []wallet.Step
		mint         string
		gained, lost walletfi.Amount
		unknown      bool
	}{
		"all there is":           {steps: []wallet.Step{step(none, token("m", 0, all))}, mint: "m", gained: all},
		"up, down and up again":  {steps: []wallet.Step{step(none, token("m", 0, 1<<63)), step(none, token("m", 1<<63, 0)), step(none, token("m", 0, 1<<63))}, mint: "m", gained: 1 << 63},
		"down, up and down":      {steps: []wallet.Step{step(none, token("m", all, 0)), step(none, token("m", 0, all)), step(none, token("m", all, 1))}, mint: "m", lost: all - 1},
		"more than an amount":    {steps: []wallet.Step{step(none, token("m", 0, 1<<63)), step(none, token("m", 0, 1<<63))}, mint: "m", unknown: true},
		"two accounts of a mint": {steps: []wallet.Step{step(none, token("m", 5, 0), token("m", 0, 7))}, mint: "m", gained: 2},
		"SOL that is wrapped":    {steps: []wallet.Step{step(walletfi.Change{Before: 100, After: 30}, token(sol, 0, 60))}, mint: sol, lost: 10},
		"wrapped SOL that came":  {steps: []wallet.Step{step(walletfi.Change{Before: 100, After: 95}, token(sol, 1, 61))}, mint: sol, gained: 55},
		"of Token-2022":          {steps: []wallet.Step{step(walletfi.Change{Before: 100, After: 95}, token(signing.NativeMintToken2022.String(), 0, 9))}, mint: sol, gained: 4},
		"rent is SOL too":        {steps: []wallet.Step{step(walletfi.Change{Before: 100, After: 80}, token("m", 0, 0))}, mint: sol, lost: 20},
		"failed":                 {steps: []wallet.Step{{State: wallet.StateFailed, Effects: step(walletfi.Change{Before: 9, After: 4}).Effects}}, mint: sol, lost: 5},
		"expired and not sent":   {steps: []wallet.Step{{State: wallet.StateExpired}, {State: wallet.StateNotSent}}, mint: "m"},
		"one is not known":       {steps: []wallet.Step{step(none, token("m", 0, 5)), {State: wallet.StateFailed}}, mint: "m", unknown: true},
		"one may be executed":    {steps: []wallet.Step{step(none, token("m", 0, 5)), {State: wallet.StateUnknown}}, mint: "m", unknown: true},
	} {
		gained, lost, known := (&wallet.Result{Steps: c.steps}).Net("me", c.mint)
		require.Equal(t, !c.unknown, known, name)
		require.Equal(t, []walletfi.Amount{c.gained, c.lost}, []walletfi.Amount{gained, lost}, name)
	}
}
