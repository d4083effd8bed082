package wallet_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// elsewhere is a node of a cluster that begins with another block.
type elsewhere struct {
	*judge
	block func() string
}

func (e elsewhere) Genesis(context.Context) (string, error) {
	if block := e.block(); block != "" {
		return block, nil
	}
	return "", errors.New("away")
}

// knows has a journal know a ledger.
func knows(t *testing.T, journal wallet.Journal, l wallet.Ledger) {
	t.Helper()
	e := wallet.Entry{Schema: wallet.Schema, Key: "ledger", Version: 1, State: wallet.KeyConfirmed, Ledger: &l}
	require.NoError(t, journal.Store(t.Context(), 0, e))
}

// TestNodesOfOneCluster: those of a journal's own, by a majority. A minority of others is
// asked nothing, and a majority of others is an error, also if it answers late.
func TestNodesOfOneCluster(t *testing.T) {
	for what, row := range map[string]struct {
		journal string
		nodes   []string // first blocks, "" for one that does not tell it
		fails   bool
		asked   []bool
	}{
		"a new journal":                      {"", []string{"a"}, false, []bool{true}},
		"the journal's":                      {"a", []string{"a"}, false, []bool{true}},
		"another's":                          {"a", []string{"b"}, true, nil},
		"it does not tell":                   {"a", []string{""}, false, []bool{true}},
		"all of three":                       {"", []string{"a", "a", "a"}, false, []bool{true, true, true}},
		"a minority is another's":            {"", []string{"a", "b", "a"}, false, []bool{true, false, true}},
		"a minority is another's, by record": {"a", []string{"b", "a", "a"}, false, []bool{false, true, true}},
		"a majority is another's":            {"a", []string{"b", "a", "b"}, true, nil},
		"all differ":                         {"", []string{"a", "b", "c"}, true, nil},
		"one differs, one does not tell":     {"a", []string{"a", "", "b"}, false, []bool{true, true, false}},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &court{chain: newChain(t, 1000), landed: map[string]uint64{}, lands: true}
			for i, block := range row.nodes {
				j := c.join(t)
				c.nodes[i] = elsewhere{j, func() string { return block }}
			}
			key, err := signing.GenerateLocalKey()
			require.NoError(t, err)
			memory := wallet.NewMemoryJournal()
			if row.journal != "" {
				knows(t, memory, wallet.Ledger{Genesis: row.journal})
			}
			guard := signing.NewGuard(signing.Policy{})
			w, err := wallet.New(wallet.Config{Signer: key, Guard: guard, Submitter: c, Confirmer: askless{c}, Journal: memory})
			require.Equal(t, row.fails, err != nil, "%s: %v", what, err)
			if row.fails {
				var invalid *walletfi.ValidationError
				require.ErrorAs(t, err, &invalid, what)
				return
			}
			r := &rig{wallet: w, chain: c.chain, owner: solana.PublicKey(key.PublicKey()), shop: solana.PublicKey{5}}
			_, err = w.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
			require.NoError(t, err, what)
			for i, n := range c.nodes {
				require.Equal(t, row.asked[i], len(n.(elsewhere).Asked()) > 0, "%s: node %d", what, i+1)
			}
			require.NoError(t, w.Close())
			e, err := memory.Load(t.Context(), "ledger")
			require.NoError(t, err)
			require.Equal(t, "a", e.Ledger.Genesis, what)
		})
	}
}

// TestNodeOfAnotherClusterThatIsSlow: it does not answer when the wallet begins. Nothing
// is signed for its cluster.
func TestNodeOfAnotherClusterThatIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		knows(t, memory, wallet.Ledger{Genesis: "another"})
		r := newRigWith(t, func(c *wallet.Config) {
			c.Journal = memory
			begun := time.Now()
			c.Confirmer.(*chain).Hear = func(context.Context, string) error {
				if time.Since(begun) < time.Minute {
					return errors.New("away")
				}
				return nil
			}
		})
		pause.For(t.Context(), 2*time.Minute)
		u := r.pay(t, 1)
		u.LastValidBlockHeight = r.tip().Height + 100
		_, err := r.wallet.Execute(soon(t), u, wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, walletfi.ErrNotSent)
		require.Zero(t, r.submissions())
	})
}

// TestResetHead: by hand, with a name and a reason that the journal keeps. What the nodes
// show next is believed.
func TestResetHead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := wallet.NewMemoryJournal()
		wrong := wallet.Head{Slot: 90_000, Height: 80_000}
		knows(t, memory, wallet.Ledger{Genesis: "genesis", Final: wrong})
		r := newRigWith(t, func(c *wallet.Config) { c.Journal = memory })
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		answersTo(t, err, wallet.ErrExpired)
		for _, words := range [][2]string{{"", "why"}, {"me", ""}} {
			require.ErrorIs(t, r.wallet.ResetHead(words[0], words[1]), walletfi.ErrInvalidRequest)
		}
		require.NoError(t, r.wallet.ResetHead("me", "the cluster was restarted"))
		require.NoError(t, r.wallet.ResetHead("me", "once more"))
		_, err = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "a"})
		require.NoError(t, err)
		require.NoError(t, r.wallet.Close())
		l := r.entry(t, "ledger").Ledger
		require.Len(t, l.Resets, 2)
		require.Equal(t, "once more", l.Resets[1].Reason)
		at := l.Resets[0].At
		require.Equal(t, wallet.Reset{By: "me", Reason: "the cluster was restarted", At: at, Was: wrong}, l.Resets[0])
		require.WithinDuration(t, time.Now(), l.Resets[0].At, time.Minute)
		require.Less(t, l.Final.Slot, wrong.Slot)
		none := newRigWith(t, unproven)
		require.ErrorIs(t, none.wallet.ResetHead("me", "why"), walletfi.ErrInvalidRequest, "there is no head to forget")
	})
}

// TestResolve: an operator settles what no node can, with the signatures, a name and a
// reason, unless somebody works on the key.
func TestResolve(t *testing.T) {
	for state, key := range map[wallet.State]wallet.KeyState{
		wallet.StateConfirmed: wallet.KeyConfirmed, wallet.StateFailed: wallet.KeyFailed,
		wallet.StateExpired: wallet.KeyExpired,
	} {
		synctest.Test(t, func(t *testing.T) {
			memory, signature := leftInDoubt(t)
			r := newRigWith(t, func(c *wallet.Config) {
				c.Confirmer.(*chain).landsLate(24 * time.Hour)
				unproven(c)
				c.Journal = unlisted{memory}
			})
			good := wallet.Resolution{State: state, Signatures: []string{signature}, By: "me", Reason: "the explorer"}
			for what, spoil := range map[string]func(*wallet.Resolution){
				"no name":           func(r *wallet.Resolution) { r.By = "" },
				"no reason":         func(r *wallet.Resolution) { r.Reason = "" },
				"no signature":      func(r *wallet.Resolution) { r.Signatures = nil },
				"another signature": func(r *wallet.Resolution) { r.Signatures = []string{"x"} },
				"one more":          func(r *wallet.Resolution) { r.Signatures = append(r.Signatures, "x") },
				"unknown":           func(r *wallet.Resolution) { r.State = wallet.StateUnknown },
				"not sent":          func(r *wallet.Resolution) { r.State = wallet.StateNotSent },
			} {
				bad := good
				spoil(&bad)
				require.ErrorIs(t, r.wallet.Resolve(t.Context(), "a", bad), walletfi.ErrInvalidRequest, what)
				require.Equal(t, wallet.KeyInDoubt, r.entry(t, "key:a").State, what)
			}
			require.Error(t, r.wallet.Resolve(t.Context(), "", good))
			require.Error(t, r.wallet.Resolve(t.Context(), "of nobody", good))
			require.Zero(t, r.entry(t, "key:of nobody").Version, "nothing is written of what is not there")
			require.Zero(t, r.entry(t, "").Version)
			e := r.entry(t, "key:a")
			e.Holder, e.Version = "another", e.Version+1
			require.NoError(t, memory.Store(t.Context(), e.Version-1, e))
			require.NoError(t, memory.Renew(t.Context(), "another", time.Minute))
			require.ErrorIs(t, r.wallet.Resolve(t.Context(), "a", good), walletfi.ErrOutcomeUnknown, "another works on it")
			require.NoError(t, memory.Renew(t.Context(), "another", 0))

			require.NoError(t, r.wallet.Resolve(t.Context(), "a", good))
			e = r.entry(t, "key:a")
			require.Equal(t, key, e.State)
			vouched := e.Steps[0].Evidence.Vouched
			require.Equal(t, &walletfi.Vouched{By: "me", Reason: "the explorer", At: vouched.At}, vouched)
			require.Error(t, r.wallet.Resolve(t.Context(), "a", good), "it is settled")
			r.tells(nil)
			result, err := r.wallet.Execute(soon(t), r.another(t, 9), wallet.ExecuteOptions{Key: "a"})
			require.NoError(t, err)
			paid := result.Signatures()[0] == signature
			require.Equal(t, state == wallet.StateConfirmed, paid, "what was paid is not paid again: %s", state)
		})
	}
}
