package main

import (
	"crypto/ed25519"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

var approver = ed25519.NewKeyFromSeed([]byte(strings.Repeat("a", ed25519.SeedSize)))

// usdcOf is the ceiling of USDC in the demo's policy.
func usdcOf(box *sandbox.Sandbox) string {
	return fmt.Sprintf("mint = %q\ntransaction = 20_000_000_000\nwindow = [{length = \"24h\", most = 100_000_000_000}]", box.Mint("USDC"))
}

// withApprover changes the policy so that users pay 30 USDC at once, and more if one person approves.
func withApprover(t *testing.T) []string {
	t.Helper()
	key, err := ssh.NewPublicKey(approver.Public())
	require.NoError(t, err)
	person := fmt.Sprintf("approvals = 1\ngrant_lasts = \"1h\"\n[[approver]]\nname = \"ann\"\nkey = %q\n[fees]\n", strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))))
	box, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	box.Close() // its mints are the same
	of := usdcOf(box)
	return []string{"[fees]\n", person, of, strings.Replace(of, "window", "unapproved = 30_000_000\nwindow", 1)}
}

// waiting has alice swap 40 USDC, and returns the payment with what the approvers were asked.
func (c *caller) waiting(t *testing.T) (payment, protocol.Grant) {
	t.Helper()
	p := c.prepare(t, c.swapOf("40"))
	c.approve(t, p)
	p = c.await(t, p.ID, "waiting")
	all := c.signer.Grants("")
	require.NotEmpty(t, all)
	g := all[len(all)-1]
	require.Equal(t, g.Grant.ID, p.Grant)
	require.Equal(t, "Swap 40 USDC for SOL, payment "+p.ID, g.Grant.Reason)
	return p, g
}

// says hands in what the approver says.
func (x *testSigner) says(t *testing.T, g protocol.Grant, v grant.Verdict) {
	t.Helper()
	by, err := ssh.NewSignerFromKey(approver)
	require.NoError(t, err)
	signature, err := g.Grant.Sign(by, v)
	require.NoError(t, err)
	_, err = x.Decide(t.Context(), protocol.Verdict{ID: g.Grant.ID, Signature: signature})
	require.NoError(t, err)
}

// TestPeopleApprove: a payment above the line waits for approvers, over a restart, and goes on once they
// approve. Below the line nobody is asked.
func TestPeopleApprove(t *testing.T) {
	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{}, withApprover(t)...)
	alice := r.signIn(t, "alice")
	small := alice.prepare(t, r.swapOf("25"))
	alice.approve(t, small)
	require.Empty(t, alice.await(t, small.ID, "confirmed").Grant)
	require.Empty(t, r.signer.Grants(""))

	p, g := alice.waiting(t)
	require.Equal(t, protocol.GrantWaiting, g.State)
	text := alice.page(t, "/payments/"+p.ID)
	require.Contains(t, text, "walletfi-signer approve "+g.Grant.ID)
	require.NotContains(t, text, "the signer's page", "the settings name none")
	require.Equal(t, "waiting", alice.approve(t, p).State, "the user's approval is there already")

	r.backend.payments.Close()
	require.NoError(t, r.backend.openPayments(t.Context(), options{}), "the second start")
	t.Cleanup(r.backend.payments.Close)
	r.signer.says(t, g, grant.Approves)
	alice.await(t, p.ID, "confirmed")
	require.Len(t, r.signer.Grants(""), 1, "they are asked once")
	require.EqualValues(t, 935_000_000, r.usdc(t, "alice"))
}

// TestPeopleDeny: the user is told in words, also when he asks again.
func TestPeopleDeny(t *testing.T) {
	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{}, withApprover(t)...)
	alice := r.signIn(t, "alice")
	p, g := alice.waiting(t)
	r.signer.says(t, g, grant.Denies)
	const denied = "the approvers have denied it: nothing was signed and nothing was sent"
	require.Equal(t, denied, alice.await(t, p.ID, "not_sent").Problem)
	require.Contains(t, alice.page(t, "/payments/"+p.ID), denied)
	again := alice.prepare(t, r.swapOf("40"))
	alice.approve(t, again)
	require.Regexp(t, `^the signer does not sign it: the same was denied at \S+Z; ask again after \S+Z$`, alice.await(t, again.ID, "not_sent").Problem)
	require.EqualValues(t, 1_000_000_000, r.usdc(t, "alice"))
}

// TestPeopleTakeLong: longer than a blockhash lives. The user reviews the payment once more, which is
// signed under the same grant; and if nobody answers within the hour, nothing is.
func TestPeopleTakeLong(t *testing.T) {
	r := newRigWith(t, sandbox.Config{ManualClock: true, InstantConfirmation: true}, options{}, withApprover(t)...)
	alice := r.signIn(t, "alice")
	p, g := alice.waiting(t)
	r.box.Advance(5 * time.Minute)
	r.signer.says(t, g, grant.Approves)
	p = alice.await(t, p.ID, "expired")
	require.Contains(t, p.Problem, "the approvers have approved it, and meanwhile the quote has expired")
	fresh := alice.await(t, p.ReplacedBy, "review")
	require.Equal(t, g.Grant.ID, fresh.Grant)
	alice.approve(t, fresh)
	alice.await(t, fresh.ID, "confirmed")
	require.EqualValues(t, 960_000_000, r.usdc(t, "alice"))

	bob := r.signIn(t, "bob")
	unanswered, _ := bob.waiting(t)
	r.box.Advance(61 * time.Minute)
	require.Eventually(t, func() bool { // the signer looks at the ledger while the clock moves
		r.box.Advance(2 * time.Second)
		return len(r.signer.Grants("")) == 0
	}, waitMost, waitEvery)
	require.Contains(t, bob.await(t, unanswered.ID, "expired").Problem, "did not approve it in time")
	require.EqualValues(t, 1_000_000_000, r.usdc(t, "bob"))
}
