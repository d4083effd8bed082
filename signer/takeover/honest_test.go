package takeover

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

func (k setSigner) SignSet(ctx context.Context, r signing.SetRequest) ([]signing.Signature, error) {
	d, err := k.s.SignSet(ctx, "c", r)
	if err != nil {
		return nil, err
	}
	return d.Signatures, nil
}

// TestHonest: what the services' builders make passes, each under a policy that lists what its
// request names.
func TestHonest(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, Shape: 1, InstantConfirmation: true})
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	genesis, err := node.Genesis(t.Context())
	require.NoError(t, err)
	wallet, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	seed := named("log")
	all := slices.Concat(flows.Builders(t, s), flows.Variants(t, s))
	refused := 0
	for _, b := range all {
		if b.Prepare != nil {
			b.Prepare()
		}
		u, err := b.Build(t.Context())
		require.NoError(t, err, b.Name)
		n := need{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
		n.of(u.Intent)
		policy, err := signer.ParsePolicy([]byte(n.policyOf(genesis, s)))
		require.NoError(t, err)
		dir := scratch(t)
		one, err := signer.Open(t.Context(), signer.Config{
			Policy: policy, Store: filepath.Join(dir, "db"), Anchor: filepath.Join(dir, "anchor"),
			LogKey: ed25519.NewKeyFromSeed(seed[:]), Keys: []signing.Signer{wallet},
			Nodes: []signer.Node{signer.RPCNode(node)},
		})
		require.NoError(t, err)
		_, _, err = signing.NewGuard(flows.Policy(s)).SignSet(t.Context(), u, setSigner{wallet, one})
		require.NoError(t, one.Close())
		if err != nil {
			refused++
			t.Logf("%s %s: %v", b.Service, b.Name, err)
		}
	}
	fmt.Printf("flows=%d refused=%d\n", len(all), refused)
	require.Greater(t, len(all), 24)
	require.Zero(t, refused)
}
