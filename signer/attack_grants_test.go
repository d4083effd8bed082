package signer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// TestAGrantEndsWithItsPolicy changes the policy and changes it back: what was approved before, and
// what waited, is of no use any more, and what was denied rests.
func TestAGrantEndsWithItsPolicy(t *testing.T) {
	r := newApproved(t, 3)
	first, second := r.cfg.Policy, parsed(t, approvedText()+"\n")
	g := r.approved(r.pay(payee, sol))
	denied := r.ask(r.pay(rescue, sol))
	_, err := r.says(denied, "ann", grant.Denies)
	require.NoError(t, err)
	half := r.ask(r.pay(payee, sol+1))
	_, err = r.says(half, "ann", grant.Approves)
	require.NoError(t, err)
	for i := range 7 {
		r.ask(r.pay(payee, sol+2+uint64(i)))
	}
	require.NoError(t, r.change(second, r.signs(second, "ann", "bob")...))
	_, err = r.AskGrant(t.Context(), "trader", protocol.NewGrant{Request: protocol.Request(r.pay(rescue, sol))})
	require.ErrorContains(t, err, "denied at")
	r.ask(r.pay(payee, sol)) // what waited takes no place
	require.NoError(t, r.change(first, r.signs(first, "ann", "bob")...))
	for range 2 {
		r.refused("trader", with(g, r.pay(payee, sol)), signer.CodePolicy)
		_, err = r.says(half, "bob", grant.Approves)
		require.ErrorContains(t, err, "expired")
		r.reopen()
	}
	r.signed(with(r.approved(r.pay(payee, sol)), r.pay(payee, sol)))
}

// TestARestoredStoreHasNoGrants restores a copy from before a grant was used up.
func TestARestoredStoreHasNoGrants(t *testing.T) {
	r := newApproved(t, 3)
	g := r.approved(r.pay(payee, sol))
	require.NoError(t, r.Signer.Close())
	old, err := os.ReadFile(r.cfg.Store)
	require.NoError(t, err)
	r.open()
	r.signed(with(g, r.pay(payee, sol)))
	require.NoError(t, r.Signer.Close())
	require.NoError(t, os.WriteFile(r.cfg.Store, old, 0o600))
	s, err := signer.Open(t.Context(), r.cfg)
	require.NoError(t, err)
	r.Signer = s
	for range 2 {
		require.NoError(t, r.Thaw(t.Context(), "uid 0", "looked at"))
		r.refused("trader", with(g, r.pay(payee, sol)), signer.CodePolicy)
		r.reopen()
	}
}

// TestADenialAfterACrash has the key fail after the set was counted: what was denied since is not signed,
// also if it is asked for without the grant.
func TestADenialAfterACrash(t *testing.T) {
	bad := &badKey{Signer: ownerKey, sign: func(context.Context, []byte) (signing.Signature, error) {
		return signing.Signature{}, errors.New("the process ends here")
	}}
	r := newRig(t, 3, under(t, approvedText()), func(cfg *signer.Config) { cfg.Keys = []signing.Signer{bad} })
	q := r.pay(payee, sol)
	g := r.approved(q)
	r.refused("trader", with(g, q), signer.CodeBackend)
	r.cfg.Keys = []signing.Signer{ownerKey}
	r.reopen()
	r.refused("trader", q, signer.CodeApproval)
	_, err := r.says(g, "cid", grant.Denies)
	require.NoError(t, err)
	r.refused("trader", q, signer.CodeApproval)
	r.refused("trader", with(g, q), signer.CodeApproval)
	assert.Equal(t, int64(4*sol-baseFee), r.left())
}

// TestOutputToIsPaid has a program's output go to a payee: people are told of him, and he waits if he
// is new.
func TestOutputToIsPaid(t *testing.T) {
	text := strings.Replace(approvedText(), "admins = [0]", "admins = [0]\npayees_wait = \"24h\"", 1)
	r := newRig(t, 3, under(t, text))
	next := parsed(t, text+fmt.Sprintf("\n[[payee]]\nname = \"new\"\naddress = %q\n", thief))
	to := func(k signing.PublicKey, lamports uint64) signing.SetRequest {
		q := r.pay(rescue, lamports)
		q.Unsigned.Intent.OutputTo = []string{k.String()}
		return q
	}
	g := r.ask(to(payee, sol))
	assert.ElementsMatch(t, []string{payee.String(), rescue.String()}, g.Grant.Payees)
	require.NoError(t, r.change(next, r.signs(next, "ann", "bob")...))
	r.signed(to(payee, 1))
	refusal := r.refused("trader", to(thief, 2), signer.CodePayee)
	assert.True(t, refusal.Waits)
}

// TestDeniedWithSomethingBesides asks again for what was denied, with a crumb to somebody else.
func TestDeniedWithSomethingBesides(t *testing.T) {
	r := newApproved(t, 3)
	_, err := r.says(r.ask(r.pay(payee, sol)), "ann", grant.Denies)
	require.NoError(t, err)
	tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(owner, payee, sol), signingtest.Transfer(owner, rescue, 1),
	}}
	q := r.pay(payee, sol+1)
	q.Unsigned.Transactions = []walletfi.EncodedTransaction{tx.Unsigned(t)}
	q.Unsigned.Intent.PayTo = append(q.Unsigned.Intent.PayTo, rescue.String())
	_, err = r.AskGrant(t.Context(), "trader", protocol.NewGrant{Request: protocol.Request(q)})
	require.ErrorContains(t, err, "denied at")
	r.ask(r.pay(rescue, sol)) // another thing
}
