package main

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// TestManyApprovalsOfAnExpiredQuote: several tabs approve what has expired. All get the
// same new quote, so that approving it in each pays once.
func TestManyApprovalsOfAnExpiredQuote(t *testing.T) {
	r := newRig(t, sandbox.Config{ManualClock: true, InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	old := alice.prepare(t, r.swapOf("25"))
	r.box.Advance(5 * time.Minute)
	const tabs = 6
	fresh := make([]payment, tabs)
	var group sync.WaitGroup
	for i := range tabs {
		group.Go(func() { fresh[i] = alice.approve(t, old) })
	}
	group.Wait()
	shown := map[string]bool{}
	for _, p := range fresh {
		if p.ID != old.ID {
			require.Equal(t, "review", p.State)
			shown[p.ID] = true
		} else {
			require.Equal(t, "expired", p.State)
			shown[p.ReplacedBy] = true
		}
	}
	require.Len(t, shown, 1, "one new quote")
	var listed struct{ Payments []payment }
	require.Equal(t, http.StatusOK, alice.call(t, "GET", "/api/payments", nil, &listed))
	require.Len(t, listed.Payments, 2, "the old one and the new one")
	replaced := alice.await(t, old.ID, "expired").ReplacedBy
	require.True(t, shown[replaced])
	alice.approve(t, alice.await(t, replaced, "review"))
	alice.await(t, replaced, "confirmed")
	require.Equal(t, replaced, alice.approve(t, old).ReplacedBy, "a late tab is told of the new one")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"), "paid once")
}

// TestApprovedWhileANewQuoteIsMade: one tab finds the quote stale and has a new one made;
// meanwhile another tab finds it good and approves. The payment that was approved is the
// only one.
func TestApprovedWhileANewQuoteIsMade(t *testing.T) {
	t.Parallel()
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	high := r.box.Fault(sandbox.Route{Service: sandbox.AMM, Pattern: "/main/auto-fee"}, sandbox.Fault{
		Status: http.StatusOK, Times: 1, Body: []byte(`{"success":true,"data":{"default":{"vh":90000000,"h":80000000,"m":70000000}}}`),
	})
	defer high()
	quote := sandbox.Route{Service: sandbox.Swap, Pattern: "/quote"}
	before := r.hits(quote)
	slow := r.box.Fault(quote, sandbox.Fault{Delay: 8 * time.Second, Times: 1})
	defer slow()
	first := make(chan payment, 1)
	go func() {
		var after payment
		alice.call(t, "POST", "/api/payments/"+p.ID+"/approval", map[string]string{"digest": p.Digest}, &after)
		first <- after
	}()
	require.Eventually(t, func() bool { return r.hits(quote) > before }, waitMost, waitEvery, "the new quote is being made")
	second := alice.approve(t, p)
	require.Equal(t, p.ID, second.ID)
	told := <-first
	require.Equal(t, p.ID, told.ID, "what was approved is told in place of a second quote")
	alice.await(t, p.ID, "confirmed")
	var listed struct{ Payments []payment }
	require.Equal(t, http.StatusOK, alice.call(t, "GET", "/api/payments", nil, &listed))
	require.Len(t, listed.Payments, 1)
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"), "paid once")
}

// hits counts the requests that a route of the sandbox got, by any method.
func (r *rig) hits(route sandbox.Route) (n int) {
	for at, hits := range r.box.Hits() {
		if at.Service == route.Service && at.Pattern == route.Pattern {
			n += hits
		}
	}
	return n
}
