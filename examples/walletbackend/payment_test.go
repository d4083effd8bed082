package main

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

func TestSwapFromEachService(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	for _, service := range []string{"swap", "amm", "providerswap"} {
		before := r.usdc(t, "alice")
		asked := r.swapOf("25")
		asked["service"] = service
		p := alice.prepare(t, asked)
		require.Equal(t, "review", p.State, p.Problem)
		require.Equal(t, "Swap 25 USDC for SOL", p.Title)
		require.Equal(t, before, r.usdc(t, "alice"), "nothing is sent before the approval")
		alice.approve(t, p)
		p = alice.await(t, p.ID, "confirmed")
		require.Len(t, p.Result.Steps, 1)
		require.Equal(t, before-25_000_000, r.usdc(t, "alice"), service)
	}
	require.Empty(t, r.box.Violations())
}

func TestEveryKindOfPayment(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	usdc := r.box.Mint("USDC")
	for _, asked := range []map[string]string{
		{"kind": "deposit", "mint": usdc, "amount": "100", "depositType": "protected"},
		{"kind": "withdraw", "mint": usdc, "amount": "40", "depositType": "protected"},
		{"kind": "burn", "mint": r.box.Mint("DUST")},
		{"kind": "close all"},
	} {
		p := alice.prepare(t, asked)
		require.Equal(t, "review", p.State, p.Problem)
		alice.approve(t, p)
		alice.await(t, p.ID, "confirmed")
	}
	require.EqualValues(t, 940_000_000, r.usdc(t, "alice"))
	_, exists := r.box.Ledger().TokenAccount(r.box.Ledger().AssociatedAccount(r.user(t, "alice").Address, r.box.Mint("DUST")))
	require.False(t, exists, "the dust's account is closed")
	require.Empty(t, r.box.Violations())
}

// TestManyApprovalsPayOnce is the same payment approved in several tabs at once.
func TestManyApprovalsPayOnce(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	before := r.usdc(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { alice.approve(t, p) })
	}
	group.Wait()
	alice.await(t, p.ID, "confirmed")
	require.Equal(t, "confirmed", alice.approve(t, p).State, "a late approval changes nothing")
	require.Equal(t, before-25_000_000, r.usdc(t, "alice"))
}

func TestAnApprovalIsOfWhatWasSeen(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice, bob := r.signIn(t, "alice"), r.signIn(t, "bob")
	p, other := alice.prepare(t, r.swapOf("25")), alice.prepare(t, r.swapOf("26"))
	path := "/api/payments/" + p.ID
	require.Equal(t, http.StatusConflict, alice.call(t, "POST", path+"/approval", map[string]string{"digest": other.Digest}, nil))
	require.Equal(t, http.StatusNotFound, bob.call(t, "GET", path, nil, nil), "it is another user's")
	require.Equal(t, http.StatusNotFound, bob.call(t, "POST", path+"/approval", map[string]string{"digest": p.Digest}, nil))
	require.EqualValues(t, 1_000_000_000, r.usdc(t, "alice"))
	require.Equal(t, "review", alice.await(t, p.ID, "review").State)
}

func TestAnAttackIsRefusedWithItsRule(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	thief, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	require.NoError(t, r.backend.control.Attack(t.Context(), thief.PublicKey().String()))
	p := alice.prepare(t, r.swapOf("25"))
	require.Equal(t, "refused", p.State)
	require.NotNil(t, p.Report.Refusal)
	require.Equal(t, string(signing.RuleSystemTransfer), p.Report.Refusal.Rule)
	require.Contains(t, alice.page(t, "/payments/"+p.ID), "system.transfer")
	require.Equal(t, "refused", alice.approve(t, p).State, "it cannot be approved")
	require.Zero(t, r.box.Ledger().Balance(thief.PublicKey().String()))
}

func TestAnExpiredQuoteIsReplaced(t *testing.T) {
	r := newRig(t, sandbox.Config{ManualClock: true, InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	old := alice.prepare(t, r.swapOf("25"))
	r.box.Advance(5 * time.Minute)
	fresh := alice.approve(t, old)
	require.NotEqual(t, old.ID, fresh.ID)
	require.Equal(t, "review", fresh.State)
	require.NotEqual(t, old.Digest, fresh.Digest)
	old = alice.await(t, old.ID, "expired")
	require.Equal(t, fresh.ID, old.ReplacedBy)
	require.Contains(t, alice.page(t, "/payments/"+fresh.ID+"?instead="+old.ID), "Here is a new quote")
	require.EqualValues(t, 1_000_000_000, r.usdc(t, "alice"), "nothing was paid")
}

func TestRisenFeesMakeAQuoteStale(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	old := alice.prepare(t, r.swapOf("25"))
	r.box.Fault(sandbox.Route{Service: sandbox.AMM, Pattern: "/main/auto-fee"}, sandbox.Fault{
		Status: http.StatusOK, Body: []byte(`{"success":true,"data":{"default":{"vh":90000000,"h":80000000,"m":70000000}}}`),
	})
	fresh := alice.approve(t, old)
	require.NotEqual(t, old.ID, fresh.ID)
	require.Contains(t, alice.await(t, old.ID, "expired").Problem, "fees rose")
}

// TestAPromiseThatFell is a price that moved between the quotes and the review.
func TestAPromiseThatFell(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	asked := r.swapOf("25")
	asked["least"] = "999999999999"
	var p payment
	require.Equal(t, http.StatusConflict, alice.call(t, "POST", "/api/payments", asked, &p))
	require.Contains(t, p.Error, "the price moved")
}

// TestGoingOnAfterARestart stops the backend with a transaction under way.
func TestGoingOnAfterARestart(t *testing.T) {
	r := newRig(t, sandbox.Config{ManualClock: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, p)
	sent := sandbox.Route{Service: sandbox.RPC, Method: "POST", Pattern: "sendTransaction"}
	require.Eventually(t, func() bool { return r.box.Hits()[sent] > 0 }, waitMost, waitEvery, "it should be sent")

	r.backend.payments.Close()
	unfinished, err := r.backend.db.Unfinished(t.Context())
	require.NoError(t, err)
	require.Len(t, unfinished, 1)
	require.NoError(t, r.backend.openPayments(t.Context(), options{data: r.data}), "the second start")
	t.Cleanup(r.backend.payments.Close)
	r.box.Advance(10 * time.Second)
	alice.await(t, p.ID, "confirmed")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"), "paid once")
}
