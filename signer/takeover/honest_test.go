package takeover

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// A need has what a policy must list for a flow, by what its request says.
type need struct{ mints, payees, fees, signers, sponsors map[string]bool }

func (n need) of(i walletfi.Intent) {
	for _, a := range slices.Concat(i.Spend, i.Burn, i.ServiceFee, i.Receive) {
		n.mints[a.Mint] = true
	}
	for _, mint := range i.BurnAll {
		n.mints[mint] = true
	}
	for _, k := range slices.Concat(i.PayTo, i.OutputTo, i.FeeTo) {
		n.payees[k] = true
	}
	for _, k := range i.FeeTo {
		n.fees[k] = true
	}
	for _, k := range i.CoSigners {
		n.signers[k] = true
	}
	if i.Sponsor != "" {
		n.sponsors[i.Sponsor] = true
	}
}

func quoted(all map[string]bool) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		parts = append(parts, fmt.Sprintf("%q", k))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// policyOf is a policy that fits the flows: large ceilings, and only what they need is listed.
func (n need) policyOf(genesis string, s *sandbox.Sandbox) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("version = 1\ngenesis = %q\nadmins = [7]", genesis)
	p("fee_receivers = %s\nco_signers = %s\nsponsors = %s", quoted(n.fees), quoted(n.signers), quoted(n.sponsors))
	p("[fees]\nnetwork = 20_000_000\ntip = 20_000_000\nrent = 50_000_000\nforeign_rent = 10_000_000")
	p("[[owner]]\nname = \"bot\"\nkey = %q", s.WalletAddress())
	n.mints["SOL"] = true
	for _, mint := range slices.Sorted(maps.Keys(n.mints)) {
		if mint == walletfi.NativeMint {
			continue
		}
		const most = 1_000_000_000_000_000
		p("[[owner.ceiling]]\nmint = %q\ntransaction = %d\nwindow = [{length = \"1h\", most = %d}]", mint, most, most)
		p("[[owner.exposure]]\nmint = %q\nmost = %d", mint, most)
	}
	names := []string{`""`}
	for _, service := range sandbox.Services() {
		names = append(names, fmt.Sprintf("%q", service))
	}
	p("[[client]]\nname = \"c\"\nuid = 1\nowners = [\"bot\"]\nshare = 100\nrate = 1000\nservices = [%s]",
		strings.Join(names, ", "))
	for i, k := range slices.Sorted(maps.Keys(n.payees)) {
		p("[[payee]]\nname = \"payee%d\"\naddress = %q", i, k)
	}
	for _, service := range sandbox.Services() {
		p("[[service]]\nname = %q\nblind = true\n[[service.pin]]\nprogram = %q\nmay_write = [\"any\"]",
			service, s.ProgramID(service))
	}
	return b.String()
}

// A setSigner is a signer as a guard asks it.
type setSigner struct {
	*signing.LocalKey
	s *signer.Signer
}

func (k setSigner) SignSet(ctx context.Context, r signing.SetRequest) (signing.SetSignatures, error) {
	d, err := k.s.SignSet(ctx, "c", r)
	if err != nil {
		return signing.SetSignatures{}, err
	}
	return signing.SetSignatures{Signatures: d.Signatures}, nil
}

// TestHonest: what the services' builders make passes, each under a policy that lists what its
// request names.
func TestHonest(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, Shape: 1, InstantConfirmation: true})
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	all := slices.Concat(flows.Builders(t, s), flows.Variants(t, s))
	refused := 0
	for _, b := range all {
		if b.Prepare != nil {
			b.Prepare()
		}
		u, err := b.Build(t.Context())
		require.NoError(t, err, b.Name)
		if err := signed(t, s, node, u); err != nil {
			refused++
			t.Logf("%s %s: %v", b.Service, b.Name, err)
		}
	}
	fmt.Printf("flows=%d refused=%d\n", len(all), refused)
	require.Greater(t, len(all), 24)
	require.Zero(t, refused)
}

// signed asks a new signer for a set, through the guard that a wallet has.
func signed(t *testing.T, s *sandbox.Sandbox, node *rpcnode.Client, u walletfi.Unsigned) error {
	n := need{map[string]bool{s.Mint("USDC"): true}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	n.of(u.Intent)
	genesis, err := node.Genesis(t.Context())
	require.NoError(t, err)
	policy, err := signer.ParsePolicy([]byte(n.policyOf(genesis, s)))
	require.NoError(t, err)
	wallet, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	seed, dir := named("log"), scratch(t)
	one, err := signer.Open(t.Context(), signer.Config{
		Policy: policy, Store: filepath.Join(dir, "db"), Anchor: filepath.Join(dir, "anchor"),
		LogKey: ed25519.NewKeyFromSeed(seed[:]), Keys: []signing.Signer{wallet},
		Nodes: []signer.Node{node},
	})
	require.NoError(t, err)
	defer one.Close()
	key := setSigner{wallet, one}
	_, _, err = signing.NewGuard(flows.Policy(s)).SignSet(t.Context(), u, key)
	if len(u.Transactions) == 1 || !errors.Is(err, signing.ErrWaits) {
		return err
	}
	for i, tx := range u.Transactions { // each needs what the one before leaves
		made, err := key.SignSet(t.Context(), signing.SetRequest{Unsigned: u, First: i, Count: 1})
		if err != nil {
			return err
		}
		raw, err := signing.Decode(tx)
		require.NoError(t, err)
		b := raw.Bytes()
		copy(b[slot(b, wallet.PublicKey()):], made.Signatures[0][:])
		flows.Submit(t, s, walletfi.Base64Transaction(encoded(b).String()))
		require.Eventually(t, func() bool {
			require.NoError(t, one.Settle(t.Context()))
			live, err := one.Live(t.Context())
			return err == nil && len(live) == 0
		}, time.Minute, 50*time.Millisecond)
	}
	return nil
}

// TestHonestAgain: a payment whose fee is raised, and one that is built once more, pass while the
// first can still land, and so does what a person pays after it has died.
func TestHonestAgain(t *testing.T) {
	r := newRig(t, 1, plan{nodes: 1})
	newCourt(r.c)
	pay := func(price uint64) error {
		fee := call{signing.ComputeBudgetProgram, nil, number([]byte{3}, price)}
		d := &draft{payer: alice, blockhash: r.c.recent(2), calls: []call{fee, lamports(alice, shop, sol/2)}}
		_, err := r.s.SignSet(t.Context(), "c0", signing.SetRequest{Count: 1, Key: "rent", Unsigned: walletfi.Unsigned{
			Transactions: []walletfi.EncodedTransaction{encoded(d.encode())},
			Intent: walletfi.Intent{Owner: alice.String(), PayTo: []string{shop.String()},
				Spend: []walletfi.Asset{{Mint: wsol.String(), Amount: sol / 2}}},
		}})
		return err
	}
	require.NoError(t, pay(1))
	require.NoError(t, pay(10_000), "a raised fee")
	r.c.advance(10*slotTime, 0)
	require.NoError(t, pay(10_000), "built once more")
	require.ErrorIs(t, pay(20_000), signing.ErrWaits, "the fourth is above the minute's ceiling")
	for range 6 {
		r.c.advance(30*time.Second, 0)
		require.NoError(t, r.s.Settle(t.Context()))
	}
	for range 3 {
		require.NoError(t, pay(30_000), "all of it came back with the proof of death")
		r.c.advance(2*slotTime, 0)
	}
}
