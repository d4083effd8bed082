package signer_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"testing"
	"time"

	"filippo.io/edwards25519"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// hedged signs as keys of hardware may: each signature is valid, and another one.
func hedged(t *testing.T, name string) func(context.Context, []byte) (signing.Signature, error) {
	seed := sha256.Sum256([]byte("signingtest " + name))
	wide := sha512.Sum512(seed[:])
	secret, err := edwards25519.NewScalar().SetBytesWithClamping(wide[:32])
	require.NoError(t, err)
	public := signingtest.Key(name).PublicKey()
	return func(_ context.Context, m []byte) (s signing.Signature, err error) {
		var random [64]byte
		_, _ = rand.Read(random[:])
		nonce, err := edwards25519.NewScalar().SetUniformBytes(random[:])
		if err != nil {
			return s, err
		}
		point := new(edwards25519.Point).ScalarBaseMult(nonce).Bytes()
		sum := sha512.Sum512(append(append(append([]byte{}, point...), public[:]...), m...))
		k, err := edwards25519.NewScalar().SetUniformBytes(sum[:])
		if err != nil {
			return s, err
		}
		copy(s[:], point)
		copy(s[32:], k.MultiplyAdd(k, secret, nonce).Bytes())
		return s, nil
	}
}

// TestAKeyThatSignsOtherwiseEachTime: whichever of a message's signatures it lands under, what it took
// is not given back.
func TestAKeyThatSignsOtherwiseEachTime(t *testing.T) {
	bad := &badKey{Signer: ownerKey, sign: hedged(t, "owner")}
	r := newRig(t, 2, func(cfg *signer.Config) { cfg.Keys = []signing.Signer{bad} })
	q := r.pay(payee, sol-baseFee)
	d, err := r.SignSet(t.Context(), "trader", q)
	require.NoError(t, err)
	_, err = r.SignSet(t.Context(), "trader", q)
	require.NoError(t, err)
	tx, err := signing.Decode(q.Unsigned.Transactions[0])
	require.NoError(t, err)
	key := &badKey{Signer: ownerKey, sign: func(context.Context, []byte) (signing.Signature, error) {
		return d.Signatures[0], nil
	}}
	require.NoError(t, signing.SignUnchecked(t.Context(), tx, key))
	require.True(t, r.land(tx, ""))
	for range 6 {
		r.settle()
	}
	assert.Equal(t, int64(4*sol), r.left(), "it has landed")
}

// TestExitPaysTheRescueAlone: in mode exit nothing is signed that pays no rescue address, be it a tip.
func TestExitPaysTheRescueAlone(t *testing.T) {
	tip := func(r *rig) signing.SetRequest {
		q := r.pay(thief, 1_000_000)
		q.Unsigned.Intent.PayTo, q.Unsigned.Intent.Spend = nil, nil
		q.Unsigned.Intent.TipLamports = 1_000_000
		return q
	}
	empty := func(r *rig) signing.SetRequest {
		q := r.pay(thief, 1)
		q.Unsigned.Transactions = []walletfi.EncodedTransaction{signingtest.Transaction{
			FeePayer: owner, Blockhash: r.blockhash(),
			Instructions: []signingtest.Instruction{{Program: signing.MemoProgram, Data: []byte("a memo")}},
		}.Unsigned(t)}
		return q
	}
	for what, ask := range map[string]func(*rig) signing.SetRequest{"a tip": tip, "nothing": empty} {
		t.Run(what, func(t *testing.T) {
			r := newRig(t, 2)
			r.signed(ask(r))
			require.NoError(t, r.Freeze(t.Context(), "uid 0", signer.ModeExit, "get out"))
			r.signed(r.pay(rescue, 1))
			r.refused("trader", ask(r), signer.CodeFrozen)
		})
	}
}

// TestARepeatedRequestFillsNoLog: what is signed already is answered, and not written again each time.
func TestARepeatedRequestFillsNoLog(t *testing.T) {
	r := newRig(t, 2)
	q := r.pay(payee, 1)
	r.signed(q)
	before, err := r.Health(t.Context())
	require.NoError(t, err)
	for range 50 {
		r.signed(q)
	}
	after, err := r.Health(t.Context())
	require.NoError(t, err)
	assert.LessOrEqual(t, after.Entries, before.Entries+2)
}

// TestAFreezeBeforeTheSignature: what is frozen between the debit and the signature is not signed.
func TestAFreezeBeforeTheSignature(t *testing.T) {
	bad := &badKey{Signer: ownerKey}
	r := newRig(t, 2, func(cfg *signer.Config) { cfg.Keys = []signing.Signer{bad} })
	set := r.pay(payee, 1)
	set.Unsigned.Transactions = append(set.Unsigned.Transactions, r.pay(payee, 2).Unsigned.Transactions...)
	set.Count, set.Unsigned.Intent.Spend[0].Amount = 2, 3
	signed := 0
	bad.sign = func(ctx context.Context, m []byte) (signing.Signature, error) {
		if signed++; signed == 1 {
			require.NoError(t, r.Freeze(ctx, "uid 0", signer.ModeFrozen, "stop"))
		}
		return ownerKey.Sign(ctx, m)
	}
	d, err := r.SignSet(t.Context(), "trader", set)
	require.ErrorContains(t, err, signer.CodeFrozen)
	assert.Nil(t, d)
	assert.Equal(t, 1, signed)
}

// counting counts how often a node is asked for signatures.
type counting struct {
	*node
	asked int
}

func (n *counting) SignatureStatuses(ctx context.Context, all []string) (walletfi.SignatureStatuses, error) {
	n.asked++
	return n.node.SignatureStatuses(ctx, all)
}

// TestManyOpenMessagesHoldUpNobody: a client that signs at its rate leaves the proofs of the others
// their time: a node is asked for many signatures at once.
func TestManyOpenMessagesHoldUpNobody(t *testing.T) {
	var n *counting
	r := newRig(t, 1, func(c *signer.Config) {
		n = &counting{node: c.Nodes[0].(*node)}
		c.Nodes[0] = n
	})
	const open = 500 // 10 seconds at the guide's rate
	for i := range open {
		r.signed(r.pay(payee, uint64(i)))
	}
	r.pass(10 * time.Second)
	n.asked = 0
	require.NoError(t, r.Settle(t.Context()))
	assert.Less(t, n.asked, open/10, "questions, one after the other, of one Settle")
}
