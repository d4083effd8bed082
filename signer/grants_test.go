package signer_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
	"golang.org/x/crypto/ssh"
)

// approver makes the key of a name.
func approver(name string) ssh.Signer {
	seed := sha256.Sum256([]byte("approver " + name))
	key, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed[:]))
	if err != nil {
		panic(err)
	}
	return key
}

func line(key ssh.Signer) string {
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key.PublicKey())))
}

// approvedText is a policy under which a transaction of more than 0.1 SOL, or more than 0.3 SOL
// within an hour, needs a grant of two of ann, bob and cid.
func approvedText() string {
	text := strings.Replace(policyText(), "admins = [0]", "admins = [0]\napprovals = 2\ngrant_lasts = \"1h\"", 1)
	text = strings.Replace(text, "transaction = 2_000_000_000\n", "transaction = 2_000_000_000\nunapproved = 100_000_000\n", 1)
	text = strings.Replace(text, "most = 5_000_000_000}", "most = 5_000_000_000, unapproved = 300_000_000}", 1)
	for _, name := range []string{"ann", "bob", "cid"} {
		text += fmt.Sprintf("\n[[approver]]\nname = %q\nkey = %q\n", name, line(approver(name)))
	}
	return text
}

func newApproved(t testing.TB, nodes int) *rig {
	return newRig(t, nodes, func(c *signer.Config) {
		policy, err := signer.ParsePolicy([]byte(approvedText()))
		require.NoError(t, err)
		c.Policy = policy
	})
}

// ask asks for a grant for a payment, which must wait then.
func (r *rig) ask(q signing.SetRequest) protocol.Grant {
	r.t.Helper()
	g, err := r.AskGrant(r.t.Context(), "trader", protocol.NewGrant{Request: protocol.Request(q), Reason: "rent"})
	require.NoError(r.t, err)
	require.Equal(r.t, protocol.GrantWaiting, g.State)
	return *g
}

// says hands in what an approver says of a grant.
func (r *rig) says(g protocol.Grant, name string, v grant.Verdict) (*protocol.Grant, error) {
	r.t.Helper()
	signature, err := g.Grant.Sign(approver(name), v)
	require.NoError(r.t, err)
	return r.Decide(r.t.Context(), protocol.Verdict{ID: g.Grant.ID, Signature: signature})
}

// approved asks for a grant and has two approve it.
func (r *rig) approved(q signing.SetRequest) protocol.Grant {
	r.t.Helper()
	g := r.ask(q)
	for _, name := range []string{"ann", "bob"} {
		_, err := r.says(g, name, grant.Approves)
		require.NoError(r.t, err)
	}
	return g
}

func with(g protocol.Grant, q signing.SetRequest) signing.SetRequest {
	q.Grant = g.Grant.ID
	return q
}

func TestWhatNeedsAGrant(t *testing.T) {
	r := newApproved(t, 3)
	refusal := r.refused("trader", r.pay(payee, 100_000_000), signer.CodeApproval) // with its fee it is more
	assert.True(t, refusal.Waits)
	for range 3 {
		r.signed(r.pay(payee, 90_000_000))
	}
	// Crumbs are bound too: the fourth would make 0.36 SOL within an hour.
	crumb := r.pay(payee, 90_000_000)
	r.refused("trader", crumb, signer.CodeApproval)
	g := r.approved(crumb)
	r.signed(with(g, crumb))
	assert.Equal(t, int64(5*sol-4*(90_000_000+baseFee)), r.left()) // a grant raises no ceiling
	r.refused("trader", r.pay(payee, 90_000_000), signer.CodeApproval)
	r.signed(r.pay(payee, 20_000_000)) // what was granted does not count as ungranted
}

func TestAGrantIsNoWayRoundThePolicy(t *testing.T) {
	r := newApproved(t, 3)
	ask := func(client string, q signing.SetRequest) (string, error) {
		_, err := r.AskGrant(t.Context(), client, protocol.NewGrant{Request: protocol.Request(q)})
		var refusal *signing.SetRefusal
		require.ErrorAs(t, err, &refusal)
		return refusal.Code, err
	}
	for name, test := range map[string]struct {
		client, code string
		q            signing.SetRequest
	}{
		"beyond the ceiling": {"trader", signer.CodeCeiling, r.pay(payee, 3*sol)},
		"to a thief":         {"trader", signer.CodePayee, r.pay(thief, sol)},
		"nobody":             {"nobody", signer.CodeClient, r.pay(payee, sol)},
	} {
		code, err := ask(test.client, test.q)
		assert.Equal(t, test.code, code, "%s: %v", name, err)
	}
	assert.Empty(t, r.Grants(""))
	assert.Equal(t, int64(5*sol), r.left(), "asking counts nothing")
	entries := 0
	require.NoError(t, r.Each(t.Context(), func(e signer.Entry) error {
		entries += map[bool]int{true: 1}[e.Kind == "refuse"]
		return nil
	}))
	assert.Equal(t, 2, entries)
}

func TestApproversAllowOneSet(t *testing.T) {
	r := newApproved(t, 3)
	q := r.pay(payee, sol)
	g := r.ask(q)
	refusal := r.refused("trader", with(g, q), signer.CodeApproval)
	assert.True(t, refusal.Waits)
	_, err := r.says(g, "ann", grant.Approves)
	require.NoError(t, err)
	_, err = r.says(g, "ann", grant.Approves)
	require.ErrorContains(t, err, "ann\" has approved it already")
	_, err = r.says(g, "eve", grant.Approves)
	require.ErrorContains(t, err, "no approver")
	r.refused("trader", with(g, q), signer.CodeApproval)
	after, err := r.says(g, "cid", grant.Approves)
	require.NoError(t, err)
	assert.Equal(t, protocol.GrantApproved, after.State)
	assert.Equal(t, []string{"ann", "cid"}, after.Approved)

	r.refused("other", with(g, r.pay(payee, sol)), signer.CodeApproval)
	r.refused("trader", with(g, r.pay(payee, sol+1)), signer.CodeApproval)
	r.refused("trader", with(g, r.pay(rescue, sol)), signer.CodeApproval)
	rebuilt := r.pay(payee, sol)
	tx := r.signed(with(g, rebuilt)) // a blockhash that is newer than the grant
	r.signed(with(g, rebuilt))       // the same set again counts once
	r.refused("trader", with(g, q), signer.CodeApproval)
	require.True(t, r.land(tx, ""))
	r.settle()
	r.refused("trader", with(g, r.pay(payee, sol)), signer.CodeApproval)
	assert.Equal(t, int64(4*sol-baseFee), r.left())
}

func TestADeadSetFreesItsGrant(t *testing.T) {
	r := newApproved(t, 3)
	q := r.pay(payee, sol)
	g := r.approved(q)
	r.signed(with(g, q))
	for range 10 {
		r.pass(20 * time.Second)
		require.NoError(t, r.Settle(t.Context()))
	}
	r.reopen()
	tx := r.signed(with(g, r.pay(payee, sol)))
	r.refused("trader", with(g, r.pay(payee, sol)), signer.CodeApproval)
	// What fails on the ledger is no proof of death: its fee is gone.
	require.True(t, r.land(tx, "InstructionError"))
	r.settle()
	r.refused("trader", with(g, r.pay(payee, sol)), signer.CodeApproval)
}

// TestOneNodeFreesNoGrant: what one node alone calls dead may have landed.
func TestOneNodeFreesNoGrant(t *testing.T) {
	r := newApproved(t, 1)
	g := r.approved(r.pay(payee, sol))
	r.signed(with(g, r.pay(payee, sol)))
	for range 10 {
		r.pass(20 * time.Second)
		require.NoError(t, r.Settle(t.Context()))
	}
	live, err := r.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, live)
	r.refused("trader", with(g, r.pay(payee, sol)), signer.CodeApproval)
}

func TestDenied(t *testing.T) {
	r := newApproved(t, 3)
	g := r.approved(r.pay(payee, sol))
	after, err := r.says(g, "cid", grant.Denies)
	require.NoError(t, err)
	assert.Equal(t, protocol.GrantDenied, after.State)
	r.refused("trader", with(g, r.pay(payee, sol)), signer.CodeApproval)
	_, err = r.says(g, "ann", grant.Approves)
	require.ErrorContains(t, err, "denied")
	r.reopen()
	_, err = r.AskGrant(t.Context(), "trader", protocol.NewGrant{Request: protocol.Request(r.pay(payee, sol-1))})
	require.ErrorContains(t, err, "denied at")
	r.pass(61 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	r.ask(r.pay(payee, sol-1))
}

func TestGrantsExpireAndAreFew(t *testing.T) {
	r := newApproved(t, 3)
	g := r.approved(r.pay(payee, sol))
	for i := range 8 {
		r.ask(r.pay(payee, sol+uint64(i)))
	}
	_, err := r.AskGrant(t.Context(), "trader", protocol.NewGrant{Request: protocol.Request(r.pay(payee, sol))})
	require.ErrorContains(t, err, "8 grants waiting")
	assert.Len(t, r.Grants("trader"), 9)
	assert.Empty(t, r.Grants("other"))
	r.pass(time.Hour)
	require.NoError(t, r.Settle(t.Context()))
	assert.Empty(t, r.Grants(""))
	r.refused("trader", with(g, r.pay(payee, sol)), signer.CodeApproval)
	_, err = r.says(g, "cid", grant.Approves)
	require.Error(t, err)
	r.ask(r.pay(payee, sol))
}

// TestGrantsSurviveARestart reopens after each step: what was asked, approved and used up is known.
func TestGrantsSurviveARestart(t *testing.T) {
	r := newApproved(t, 3)
	g := r.ask(r.pay(payee, sol))
	r.reopen()
	_, err := r.says(g, "ann", grant.Approves)
	require.NoError(t, err)
	r.reopen()
	_, err = r.says(g, "ann", grant.Approves)
	require.Error(t, err)
	_, err = r.says(g, "bob", grant.Approves)
	require.NoError(t, err)
	r.reopen()
	r.signed(with(g, r.pay(payee, sol)))
	r.reopen()
	r.refused("trader", with(g, r.pay(payee, sol)), signer.CodeApproval)
	// Another policy honours no grant of this one.
	next := parsed(t, approvedText()+"\n")
	require.NoError(t, r.change(next, r.signs(next, "ann", "bob")...))
	refusal := r.refused("trader", with(g, r.pay(payee, sol)), signer.CodePolicy)
	assert.Contains(t, refusal.Text, "grant")
}

// TestMost lets a set be built again at another price, and its fee rise to the policy's.
func TestMost(t *testing.T) {
	r := newApproved(t, 3)
	most := []grant.Amount{{Mint: walletfi.NativeMint, Amount: sol + sol/10}}
	ask := protocol.NewGrant{Request: protocol.Request(r.pay(payee, sol)), Most: most}
	g, err := r.AskGrant(t.Context(), "trader", ask)
	require.NoError(t, err)
	require.Equal(t, most, g.Grant.Most)
	require.Equal(t, walletfi.Amount(10_000), g.Grant.Fees.Network)
	for _, name := range []string{"ann", "bob"} {
		_, err := r.says(*g, name, grant.Approves)
		require.NoError(t, err)
	}
	r.refused("trader", with(*g, r.pay(payee, sol+sol/10+1)), signer.CodeApproval)
	r.signed(with(*g, r.pay(payee, sol+sol/10)))
	for name, amount := range map[string]grant.Amount{
		"less":  {Mint: walletfi.NativeMint, Amount: sol - 1},
		"other": {Mint: payee.String(), Amount: 1},
	} {
		ask.Most = []grant.Amount{amount}
		_, err = r.AskGrant(t.Context(), "trader", ask)
		require.ErrorContains(t, err, "most", name)
	}
}

// TestGrantsInTheStore changes what the store says of a used grant.
func TestGrantsInTheStore(t *testing.T) {
	r := newApproved(t, 3)
	q := r.pay(payee, sol)
	g := r.approved(q)
	r.signed(with(g, q))
	require.NoError(t, r.Signer.Close())
	altered(t, r, map[string]string{
		"it is free again":      "DELETE FROM granted",
		"it is of another set":  "UPDATE granted SET of_set = 'x'",
		"it is another one":     "UPDATE granted SET under = 'x'",
		"it is of what is gone": "INSERT INTO granted VALUES ('x', 'y', 'z', '{}')",
		"it cost nothing":       `UPDATE granted SET fees = replace(fees, '"5000"', '"0"')`,
	})
	r.open()
}

func TestApproversOfAPolicy(t *testing.T) {
	good := approvedText()
	rsa := "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7"
	for name, change := range map[string][2]string{
		"approvals is 4, and there are 3":     {"approvals = 2", "approvals = 4"},
		"approvals is -1":                     {"approvals = 2", "approvals = -1"},
		"go together":                         {"grant_lasts = \"1h\"", ""},
		"grant_lasts is 1s":                   {"grant_lasts = \"1h\"", "grant_lasts = \"1s\""},
		"approver \"bob\" comes twice":        {"name = \"ann\"", "name = \"bob\""},
		"has the key of another one":          {line(approver("ann")), line(approver("bob"))},
		"is no key of OpenSSH's":              {line(approver("ann")), rsa},
		"unapproved is 2000000001, of 0 to 2": {"unapproved = 100_000_000", "unapproved = 2_000_000_001"},
		"unapproved is -1":                    {"unapproved = 100_000_000", "unapproved = -1"},
	} {
		require.Contains(t, good, change[0], name)
		_, err := signer.ParsePolicy([]byte(strings.Replace(good, change[0], change[1], 1)))
		require.ErrorContains(t, err, name)
	}
	policy, err := signer.ParsePolicy([]byte(good))
	require.NoError(t, err)
	words := strings.Join(policy.Words(), "\n")
	for _, want := range []string{
		"A grant needs 2 approvers, and is good for 1h after it was asked for.",
		"at most 100000000 of SOL in one transaction without a grant.",
		"at most 300000000 of SOL within any 1h without a grant.", "\"cid\" may approve with ssh-ed25519",
	} {
		assert.Contains(t, words, want)
	}
	_, err = signer.ParsePolicy([]byte(strings.Replace(policyText(), "transaction = 2_000_000_000\n",
		"transaction = 2_000_000_000\nunapproved = 1\n", 1)))
	require.ErrorContains(t, err, "the policy has no approvals")
}

// TestGrantIsInTheLog has the log say who approved what, and what was signed under it.
func TestGrantIsInTheLog(t *testing.T) {
	r := newApproved(t, 3)
	q := r.pay(payee, sol)
	g := r.approved(q)
	r.signed(with(g, q))
	var told []string
	require.NoError(t, r.Each(t.Context(), func(e signer.Entry) error {
		var body struct{ ID, Grant string }
		require.NoError(t, json.Unmarshal(e.Body, &body))
		if slices.Contains([]string{"grant", "verdict"}, e.Kind) && body.ID == g.Grant.ID || body.Grant == g.Grant.ID {
			told = append(told, e.Kind+" "+e.Client)
		}
		return nil
	}))
	assert.Equal(t, []string{"grant trader", "verdict ann", "verdict bob", "sign trader"}, told)
}

// TestCostsOfASetInParts has a set signed in two requests: what was granted of tips is of the set.
func TestCostsOfASetInParts(t *testing.T) {
	r := newApproved(t, 2)
	set := func(tips ...uint64) signing.SetRequest {
		q := r.pay(payee, sol)
		q.Count, q.Unsigned.Transactions = len(tips), nil
		q.Unsigned.Intent.TipLamports = 0
		for i, tip := range tips {
			tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash()}
			tx.Instructions = []signingtest.Instruction{signingtest.Transfer(owner, payee, walletfi.Amount(sol/2+i))}
			if tip > 0 {
				tx.Instructions = append(tx.Instructions, signingtest.Transfer(owner, thief, walletfi.Amount(tip)))
			}
			q.Unsigned.Transactions = append(q.Unsigned.Transactions, tx.Unsigned(t))
			q.Unsigned.Intent.TipLamports += walletfi.Amount(tip)
		}
		q.Unsigned.Intent.Spend[0].Amount = sol + 1
		return q
	}
	g := r.approved(set(1_000_000, 0))
	require.Equal(t, walletfi.Amount(1_000_000), g.Grant.Fees.Tip)
	q := with(g, set(600_000, 600_000))
	q.First, q.Count = 0, 1
	r.signed(q)
	q.First = 1
	refusal := r.refused("trader", q, signer.CodeApproval)
	assert.Contains(t, refusal.Text, "tips of 1200000 lamports are more than was granted")
}
