package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/demo"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
)

// TestTheCeilingsOfATemplate: whatever the backend is asked, a user pays at most the template's ceilings,
// all users together its sum, and no more users are made than it says.
func TestTheCeilingsOfATemplate(t *testing.T) {
	box, err := sandbox.Start(sandbox.Config{})
	require.NoError(t, err)
	box.Close() // its mints are the same
	of := usdcOf(box)
	tight := strings.NewReplacer("20_000_000_000", "30_000_000", "100_000_000_000", "60_000_000").Replace(of)
	sum := fmt.Sprintf("mint = %q\nwindow = [{length = \"24h\", most = %%s}]", box.Mint("USDC"))
	r := newRigWith(t, sandbox.Config{InstantConfirmation: true}, options{}, of, tight,
		fmt.Sprintf(sum, "1_000_000_000_000"), fmt.Sprintf(sum, "80_000_000"), "most = 50", "most = 2")
	swaps := func(name, amount, state, why string) {
		t.Helper()
		c := r.signIn(t, name)
		p := c.prepare(t, r.swapOf(amount))
		c.approve(t, p)
		require.Contains(t, c.await(t, p.ID, state).Problem, why)
	}
	swaps("alice", "31", "not_sent", "the signer does not sign it: the transaction takes 31000000 of "+r.box.Mint("USDC"))
	swaps("alice", "25", "confirmed", "")
	swaps("alice", "25", "confirmed", "")
	swaps("alice", "25", "not_sent", "75000000 of "+r.box.Mint("USDC")+" would leave within")
	swaps("bob", "25", "confirmed", "")
	swaps("bob", "25", "not_sent", " from all owners of template:user would leave within")
	require.EqualValues(t, 950_000_000, r.usdc(t, "alice"))
	require.EqualValues(t, 975_000_000, r.usdc(t, "bob"))

	backend := client.Connect(r.signer.socket)
	t.Cleanup(backend.Close)
	_, err = backend.MakeOwner(t.Context(), demo.Template, "a third user")
	require.ErrorIs(t, err, signing.ErrWaits)
	require.ErrorContains(t, err, "2 owners of template")
}

// TestTheSignerIsNotTheBackendsTool: whoever has taken the backend over speaks to the signer himself, and
// says of the users' wishes whatever he likes.
func TestTheSignerIsNotTheBackendsTool(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	backend := client.Connect(r.signer.socket)
	t.Cleanup(backend.Close)
	alice, bob := r.user(t, "alice"), r.user(t, "bob")
	of := func(amount string) walletfi.Unsigned {
		p := r.signIn(t, "alice").prepare(t, r.swapOf(amount))
		kept, err := r.backend.db.Payment(t.Context(), alice.ID, p.ID)
		require.NoError(t, err)
		return kept.Unsigned
	}
	honest, elsewhere, anothers := of("25"), of("26"), of("27")
	elsewhere.Intent.Service = "lending"
	anothers.Intent.Owner = bob.Address
	thief, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	require.NoError(t, r.backend.control.Attack(t.Context(), thief.PublicKey().String()))
	theft := of("28")
	theft.Intent.PayTo = []string{thief.PublicKey().String()}
	theft.Intent.Spend = append(theft.Intent.Spend, walletfi.Asset{Mint: walletfi.NativeMint, Amount: 1e12})
	for name, c := range map[string]struct {
		set  walletfi.Unsigned
		code string // empty if it is signed
	}{
		"honest": {honest, ""}, "another service": {elsewhere, "guard." + string(signing.RuleUnknownProgram)},
		"another's": {anothers, "guard." + string(signing.RuleSigners)}, "a theft": {theft, signer.CodePayee},
	} {
		_, err := backend.SignSet(t.Context(), signing.SetRequest{Unsigned: c.set, Count: len(c.set.Transactions)})
		if c.code == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorIs(t, err, signing.ErrRefused, name)
		require.ErrorContains(t, err, c.code, name)
	}
	_, err = backend.Sign(t.Context(), []byte("a message to sign in with"))
	require.ErrorIs(t, err, client.ErrBytes)
	_, err = backend.Freeze(t.Context(), "frozen", "")
	require.ErrorIs(t, err, signing.ErrRefused)
}

// TestASignerThatIsAway: what a user has approved is signed once the signer is back.
func TestASignerThatIsAway(t *testing.T) {
	r := newRig(t, sandbox.Config{InstantConfirmation: true})
	alice := r.signIn(t, "alice")
	p := alice.prepare(t, r.swapOf("25"))
	r.signer.end()
	alice.approve(t, p)
	require.Eventually(t, func() bool { return r.log.contains("outcome is not known yet") }, waitMost, waitEvery)
	require.Equal(t, "executing", alice.await(t, p.ID, "executing").State)
	r.signer.open(t)
	alice.await(t, p.ID, "confirmed")
	require.EqualValues(t, 975_000_000, r.usdc(t, "alice"))
}
