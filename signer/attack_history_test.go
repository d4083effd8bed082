package signer_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// teller is a node that tells of histories and transactions otherwise than the ledger.
type teller struct {
	*node
	lists func(all []string) []string
	shows func(signature string, raw []byte) []byte
	lag   uint64 // slots by which its finalized head is older

	recent string // a signature that it calls final now
	listed int
	asked  atomic.Int64 // for transactions
}

func (n *teller) History(
	ctx context.Context, k signing.PublicKey, since, until uint64, cursor string,
) ([]string, string, error) {
	n.listed++
	all, next, err := n.node.History(ctx, k, since, until, cursor)
	if n.lists != nil {
		all = n.lists(all)
	}
	return all, next, err
}

func (n *teller) Transaction(ctx context.Context, signature string) ([]byte, error) {
	n.asked.Add(1)
	raw, err := n.node.Transaction(ctx, signature)
	if err == nil && n.shows != nil {
		raw = n.shows(signature, slices.Clone(raw))
	}
	return raw, err
}

func (n *teller) SignatureStatuses(ctx context.Context, all []string) (walletfi.SignatureStatuses, error) {
	got, err := n.node.SignatureStatuses(ctx, all)
	if i := slices.Index(all, n.recent); i >= 0 {
		got.Statuses[i].Slot = got.AsOfSlot - finality
	}
	return got, err
}

// tellers has all nodes of a rig tell what they are told to; the first is the liar.
func tellers(all *[]*teller) func(*signer.Config) {
	return func(c *signer.Config) {
		for i, n := range c.Nodes {
			*all = append(*all, &teller{node: n.(*node)})
			c.Nodes[i] = (*all)[i]
		}
	}
}

// stolen executes a transaction that the thief pays for and the owner's key signs second.
func (r *rig) stolen() string {
	tx := signingtest.Transaction{FeePayer: thief, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner, thief, 1),
	}}
	return r.lands(tx, signingtest.Key("thief"), ownerKey)
}

func (r *rig) lands(x signingtest.Transaction, keys ...*signing.LocalKey) string {
	tx, err := signing.Decode(x.Unsigned(r.t))
	require.NoError(r.t, err)
	for _, key := range keys {
		require.NoError(r.t, signing.SignUnchecked(r.t.Context(), tx, key))
	}
	require.True(r.t, r.land(tx, ""))
	return tx.Signature().String()
}

// hour lets more than an hour pass, in which the signer watches. What it cannot compare is asked for again.
func (r *rig) hour() (last error) {
	for range 65 {
		r.pass(time.Minute)
		last = r.Settle(r.t.Context())
	}
	return last
}

func (r *rig) frozen() []string {
	h, err := r.Health(r.t.Context())
	require.NoError(r.t, err)
	require.Equal(r.t, signer.ModeOpen, h.Mode)
	return h.Frozen
}

// TestOneNodeHidesNoTheft: one of three nodes, whatever it lists and shows, does not hide what a stolen
// key has signed.
func TestOneNodeHidesNoTheft(t *testing.T) {
	for what, lie := range map[string]func(liar *teller){
		"the truth": func(*teller) {},
		"nothing":   func(n *teller) { n.lists = func([]string) []string { return nil } },
		"without the owner's signature": func(n *teller) {
			n.shows = func(_ string, raw []byte) []byte {
				clear(raw[1+64 : 1+128])
				return raw
			}
		},
		"what does not exist": func(n *teller) {
			n.lists = func(all []string) []string { return append(all, signing.Signature{1}.String()) }
		},
		"no signature": func(n *teller) {
			n.lists = func(all []string) []string { return append(all, "x") }
		},
		"what it cannot read": func(n *teller) {
			n.shows = func(string, []byte) []byte { return []byte{1} }
		},
	} {
		for place := range 3 {
			t.Run(fmt.Sprint(what, " ", place), func(t *testing.T) {
				var nodes []*teller
				r := newRig(t, 3, tellers(&nodes))
				lie(nodes[place])
				r.stolen()
				err := r.hour()
				require.Equal(t, []string{owner.String()}, r.frozen(), "%v", err)
			})
		}
	}
}

// TestAStolenMessageWithinAnother: that the log has a message does not mean that it has what is written
// within it, such as in a memo.
func TestAStolenMessageWithinAnother(t *testing.T) {
	r := newRig(t, 1)
	theft := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner, thief, sol),
	}}
	inner, err := signing.Decode(theft.Unsigned(t))
	require.NoError(t, err)
	q := r.pay(payee, 1)
	q.Unsigned.Transactions = []walletfi.EncodedTransaction{signingtest.Transaction{
		FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
			signingtest.Transfer(owner, payee, 1),
			{Program: signing.MemoProgram, Data: inner.Message()},
		},
	}.Unsigned(t)}
	require.True(t, r.land(r.signed(q), ""))
	r.lands(theft, ownerKey)
	require.NoError(t, r.hour())
	require.Equal(t, []string{owner.String()}, r.frozen())
}

// TestDustHoldsUpNothing: what strangers send to an owner, at a few lamports each, does not keep the
// signer from its other work, nor end the comparison for good.
func TestDustHoldsUpNothing(t *testing.T) {
	var nodes []*teller
	r := newRig(t, 1, tellers(&nodes))
	for i := range 3000 {
		r.lands(signingtest.Transaction{FeePayer: thief, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
			signingtest.Transfer(thief, owner, walletfi.Amount(i)),
		}}, signingtest.Key("thief"))
	}
	r.stolen()
	most := 0
	for range 100 {
		r.pass(time.Minute)
		nodes[0].asked.Store(0)
		require.NoError(t, r.Settle(t.Context()))
		most = max(most, int(nodes[0].asked.Load()))
	}
	require.Less(t, most, 1000, "transactions that one Settle reads, one after the other")
	require.Equal(t, []string{owner.String()}, r.frozen(), "what is among them is found")
	h, err := r.Health(t.Context())
	require.NoError(t, err)
	require.Empty(t, h.Late)
	require.Less(t, nodes[0].listed, 10, "what was listed is not listed again")
}
