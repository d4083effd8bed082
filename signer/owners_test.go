package signer_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// templateText has owners of 1 SOL an hour each, 1.5 SOL an hour together, three in all and two
// an hour.
const templateText = `
[[template]]
name = "user"
most = 3
made = [{length = "1h", most = 2}]
ceiling = [{mint = "SOL", transaction = 900_000_000, window = [{length = "1h", most = 1_000_000_000}]}]
sum = [{mint = "SOL", window = [{length = "1h", most = 1_500_000_000}]}]
`

// templates is a signer whose client "trader" may make owners.
func templates(t *testing.T) *rig {
	return newRig(t, 2, func(cfg *signer.Config) {
		text := strings.Replace(policyText(templateText), `owners = ["bot"]`, "owners = [\"bot\"]\ntemplates = [\"user\"]", 1)
		policy, err := signer.ParsePolicy([]byte(text))
		require.NoError(t, err)
		cfg.Policy, cfg.Seed = policy, signingtest.Key("seed")
	})
}

func user(name string) protocol.NewOwner { return protocol.NewOwner{Template: "user", Name: name} }

func (r *rig) makeUser(name string) signing.PublicKey {
	r.t.Helper()
	key, err := r.MakeOwner(r.t.Context(), "trader", user(name))
	require.NoError(r.t, err)
	return key
}

// payFrom is a payment of another owner's.
func (r *rig) payFrom(from signing.PublicKey, lamports uint64) signing.SetRequest {
	q := r.pay(payee, lamports)
	q.Unsigned.Intent.Owner = from.String()
	tx := signingtest.Transaction{FeePayer: from, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{
		signingtest.Transfer(from, payee, q.Unsigned.Intent.Spend[0].Amount),
	}}
	q.Unsigned.Transactions[0] = tx.Unsigned(r.t)
	return q
}

func (r *rig) pays(from signing.PublicKey, lamports uint64) {
	r.t.Helper()
	q := r.payFrom(from, lamports)
	d, err := r.SignSet(r.t.Context(), "trader", q)
	require.NoError(r.t, err)
	tx, err := signing.Decode(q.Unsigned.Transactions[0])
	require.NoError(r.t, err)
	require.True(r.t, d.Signatures[0].Verify(from, tx.Message()))
}

// TestMadeOwners: each has its ceilings, all together have the template's sum, and no more are
// made than the template says, over restarts.
func TestMadeOwners(t *testing.T) {
	r := templates(t)
	a, b := r.makeUser("a"), r.makeUser("b")
	require.NotEqual(t, a, b)
	assert.Equal(t, a, r.makeUser("a"), "a lost answer is asked for again")
	_, err := r.MakeOwner(t.Context(), "trader", user("c"))
	require.ErrorIs(t, err, signing.ErrWaits)
	require.ErrorContains(t, err, signer.CodeWindow)

	r.pays(a, 9e8-baseFee)
	r.refused("trader", r.payFrom(a, 9e8), signer.CodeCeiling)
	r.refused("trader", r.payFrom(a, 2e8), signer.CodeWindow)
	r.pays(b, 5e8-baseFee)
	refusal := r.refused("trader", r.payFrom(b, 2e8), signer.CodeWindow)
	assert.Contains(t, refusal.Text, "template:user", "b has half a SOL left, the template a tenth")
	r.reopen()
	r.refused("trader", r.payFrom(b, 2e8), signer.CodeWindow)
	r.pays(b, 1e8-baseFee)
	r.signed(r.pay(payee, 1e9)) // no owner of a template
	used, err := r.Ledger(t.Context())
	require.NoError(t, err)
	left := map[string]int64{}
	for _, u := range used {
		left[u.Owner+u.Payee] = u.Left
	}
	assert.Equal(t, map[string]int64{"bot": 4e9 - baseFee, "a": 1e8, "b": 4e8, "template:user": 0}, left)

	r.pass(61 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	r.makeUser("c")
	r.pass(61 * time.Minute)
	require.NoError(t, r.Settle(t.Context()))
	_, err = r.MakeOwner(t.Context(), "trader", user("d"))
	require.ErrorContains(t, err, "has its 3 owners")
	require.NotErrorIs(t, err, signing.ErrWaits)
	entries := map[string]int{}
	require.NoError(t, r.Each(t.Context(), func(e signer.Entry) error {
		entries[e.Kind]++
		return nil
	}))
	assert.Equal(t, 3, entries["owner"])
}

// TestAnEndedPaymentFreesTheSum: what is dead or failed comes back to the template as well.
func TestAnEndedPaymentFreesTheSum(t *testing.T) {
	r := templates(t)
	a, b := r.makeUser("a"), r.makeUser("b")
	r.pays(a, 9e8-baseFee)
	r.pays(b, 6e8-baseFee)
	r.refused("trader", r.payFrom(b, 1e8), signer.CodeWindow)
	for range 6 {
		r.pass(30 * time.Second)
		require.NoError(t, r.Settle(t.Context()))
	}
	r.pays(a, 8e8)
	_, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.Error(t, err, "the signer has it open")
	r.reopen() // which audits
}

func TestMakeOwnerRefusals(t *testing.T) {
	r := templates(t)
	for name, c := range map[string]struct{ client, template, name, text string }{
		"another's template":  {"other", "user", "x", "may not make"},
		"no client":           {"nobody", "user", "x", "may not make"},
		"no template":         {"trader", "none", "x", "may not make"},
		"an owner's name":     {"trader", "user", "bot", "of another template"},
		"no name":             {"trader", "user", "", "1 to 100 bytes"},
		"spaces":              {"trader", "user", "x ", "1 to 100 bytes"},
		"a name that is long": {"trader", "user", strings.Repeat("x", 101), "1 to 100 bytes"},
	} {
		_, err := r.MakeOwner(t.Context(), c.client, protocol.NewOwner{Template: c.template, Name: c.name})
		require.ErrorIs(t, err, signing.ErrRefused, name)
		require.ErrorContains(t, err, c.text, name)
	}
	a := r.makeUser("a")
	_, err := r.SignSet(t.Context(), "other", r.payFrom(a, 1))
	require.ErrorContains(t, err, "may not ask for owner", "another client")
	require.NoError(t, r.Freeze(t.Context(), "test", signer.ModeFrozen, ""))
	_, err = r.MakeOwner(t.Context(), "trader", user("b"))
	require.ErrorContains(t, err, signer.CodeFrozen)
	require.NoError(t, r.Thaw(t.Context(), "test", ""))

	require.NoError(t, r.Signer.Close())
	seed := r.cfg.Seed
	for text, other := range map[string]signing.Signer{
		"is not the one that owner": signingtest.Key("other seed"), "with a Config.Seed alone": nil,
	} {
		r.cfg.Seed = other
		_, err = signer.Open(t.Context(), r.cfg)
		require.ErrorContains(t, err, text)
	}
	r.cfg.Seed = seed
	r.open()
	assert.Equal(t, a, r.makeUser("a"))
}

// TestOwnersMadeAtOnce: a template's bounds hold over requests that race.
func TestOwnersMadeAtOnce(t *testing.T) {
	r := templates(t)
	made := make(chan signing.PublicKey, 12)
	for i := range cap(made) {
		go func() {
			key, _ := r.MakeOwner(context.WithoutCancel(t.Context()), "trader", user(fmt.Sprint("n", i/2)))
			made <- key
		}()
	}
	keys := map[signing.PublicKey]int{}
	for range cap(made) {
		keys[<-made]++
	}
	delete(keys, signing.PublicKey{})
	assert.Len(t, keys, 2)
	assert.Len(t, r.Policy().Owners, 3)
}

// TestMakeOwnerByTheClient: over the socket, and the owner is listed after a restart of the client.
func TestMakeOwnerByTheClient(t *testing.T) {
	r := newRig(t, 2, func(cfg *signer.Config) {
		policy, err := signer.ParsePolicy([]byte(forThisUser(strings.Replace(policyText(templateText), `owners = ["bot"]`,
			"owners = [\"bot\"]\ntemplates = [\"user\"]", 1))))
		require.NoError(t, err)
		cfg.Policy, cfg.Seed = policy, signingtest.Key("seed")
	})
	socket := filepath.Join(t.TempDir(), "s")
	r.serve(t, socket)
	c, err := client.Dial(t.Context(), socket, "bot")
	require.NoError(t, err)
	defer c.Close()
	made, err := c.MakeOwner(t.Context(), "user", "a")
	require.NoError(t, err)
	assert.Equal(t, "a", made.Owner())
	signed, err := made.SignSet(t.Context(), r.payFrom(made.PublicKey(), 1))
	require.NoError(t, err)
	assert.Len(t, signed.Signatures, 1)
	again, err := client.Dial(t.Context(), socket, "a")
	require.NoError(t, err)
	defer again.Close()
	assert.Equal(t, made.PublicKey(), again.PublicKey())
	_, err = c.MakeOwner(t.Context(), "none", "b")
	require.ErrorIs(t, err, signing.ErrRefused)
}
