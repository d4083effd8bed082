package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/swap"
)

// honest is a node that answers some of what a guard asks it.
type honest struct {
	*rpcnode.Client
	unread, unsimulated error
}

func (h honest) LookupTable(ctx context.Context, table signing.PublicKey) ([]signing.PublicKey, error) {
	if h.unread != nil {
		return nil, h.unread
	}
	return h.Client.LookupTable(ctx, table)
}

func (h honest) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	if h.unsimulated != nil {
		return nil, h.unsimulated
	}
	return h.Client.Simulate(ctx, r)
}

// knowledge holds what a guard learns besides the bytes.
type knowledge struct {
	name   string
	policy func(*signing.Policy, *rpcnode.Client)
	down   bool // a caller has to get an error, and not a refusal
}

var errDown = errors.New("the node is down")

var knowledges = []knowledge{
	{name: "bytes alone", policy: func(*signing.Policy, *rpcnode.Client) {}},
	{name: "resolver", policy: func(p *signing.Policy, n *rpcnode.Client) { p.Resolver = n }},
	{name: "resolver and simulator", policy: func(p *signing.Policy, n *rpcnode.Client) { p.Resolver, p.Simulator = n, n }},
	{name: "simulator alone", policy: func(p *signing.Policy, n *rpcnode.Client) { p.Simulator = n }},
	{name: "both know nothing", policy: func(p *signing.Policy, n *rpcnode.Client) {
		h := honest{n, signing.ErrUnknown, signing.ErrUnknown}
		p.Resolver, p.Simulator = h, h
	}},
	{name: "simulator down", down: true, policy: func(p *signing.Policy, n *rpcnode.Client) {
		p.Resolver, p.Simulator = n, honest{Client: n, unsimulated: errDown}
	}},
}

// honestTable counts, a row for each builder, what passes of what was tried.
type honestTable struct {
	passed, refused, down, approvals int
}

// TestHonest: the guard passes what every builder of the sandbox answers, with
// nothing in its policy but the services' programs: in each shape of the answers,
// as built and rewritten in the three formats, whatever the node knows.
func TestHonest(t *testing.T) {
	var total honestTable
	for shape := 1; shape <= 2; shape++ {
		s := start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: shape})
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
		require.NoError(t, err)
		for _, b := range append(builders(t, s), variants(t, s)...) {
			if b.prepare != nil {
				if shape != 1 {
					continue // its preparation lands a transaction that only the first shape holds
				}
				b.prepare()
			}
			u, err := b.build(t.Context())
			if errors.Is(err, walletfi.ErrDecode) {
				t.Logf("shape %d  %-13s %-34s no transaction in this shape", shape, b.service, b.name)
				continue
			}
			require.NoError(t, err, "%s of %s", b.name, b.service)
			t.Logf("shape %d  %-13s %-34s %s", shape, b.service, b.name, total.row(t, s, node, b, u))
		}
	}
	t.Logf("a simulator that is down is an error, not a refusal, in %d cases; %d approvals were built", total.down, total.approvals)
	t.Logf("%d honest transactions, %d refused", total.passed, total.refused)
	require.Greater(t, total.passed, 2000)
	require.Greater(t, total.down, 400)
	require.Zero(t, total.approvals, "no service of the sandbox asks for an approval, so that no intent names a delegate")
}

// row tries a builder's answer in each format, and returns its part of the table.
func (h *honestTable) row(t *testing.T, s *sandbox.Sandbox, node *rpcnode.Client, b builder, u walletfi.Unsigned) string {
	t.Helper()
	forms := []struct {
		name string
		set  walletfi.Unsigned
	}{{"as built", u}}
	for _, version := range []signing.Version{signing.Legacy, signing.V0, signing.V1} {
		if set, ok := rewritten(t, u, version, node); ok {
			forms = append(forms, struct {
				name string
				set  walletfi.Unsigned
			}{version.String(), set})
		}
	}
	verdicts := ""
	for _, form := range forms {
		verdicts += "  " + form.name
		for _, k := range knowledges {
			policy := signing.Policy{Pins: pins(s)}
			k.policy(&policy, node)
			txs, report, err := signing.NewGuard(policy).CheckSet(t.Context(), form.set)
			switch {
			case k.down:
				require.ErrorIs(t, err, errDown, "%s of %s, %s", b.name, b.service, form.name)
				require.NotErrorIs(t, err, signing.ErrRefused)
				h.down++
			case err != nil:
				h.refused++
				verdicts += " REFUSED"
				t.Errorf("%s of %s, %s, %s: %v\n%s", b.name, b.service, form.name, k.name, err, report)
			default:
				h.passed++
				verdicts += " +"
				h.approvals += approvalsIn(txs)
			}
		}
	}
	return verdicts
}

// approvalsIn counts the approvals of token accounts among the instructions.
func approvalsIn(txs []*signing.Transaction) (n int) {
	for _, tx := range txs {
		for _, in := range tx.Instructions() {
			token := in.Program == signing.TokenProgram || in.Program == signing.Token2022Program
			if token && len(in.Data) > 0 && (in.Data[0] == 4 || in.Data[0] == 13) {
				n++
			}
		}
	}
	return n
}

// variants are requests with sponsors, partners, tips, formats and outputs that
// builders does not ask for.
func variants(t *testing.T, s *sandbox.Sandbox) []builder {
	return slices.Concat(burnVariants(t, s), swapVariants(t, s), feeVariants(t, s))
}

func burnVariants(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := burnclose.New(burnclose.Config{BaseURL: s.URL(sandbox.BurnClose), APIKey: walletfi.NewSecret(s.APIKey(sandbox.BurnClose)), Options: atOnce()})
	require.NoError(t, err)
	me, dust := s.WalletAddress(), s.Mint("DUST")
	empty, err := s.BurnClose().OpenEmptyAccounts(me, 3)
	require.NoError(t, err)
	sponsor, err := signing.GenerateLocalKey()
	require.NoError(t, err)
	payer := sponsor.PublicKey().String()
	require.NoError(t, s.Ledger().FundWallet(payer, 1_000_000_000))
	var all []builder
	for name, terms := range map[string]burnclose.Terms{
		"a sponsor":                 {FeePayer: payer},
		"a partner":                 {PartnerFeeAccount: payer, PartnerFeeBps: new(500)},
		"a sponsor and a partner":   {FeePayer: payer, PartnerFeeAccount: payer, PartnerFeeBps: new(500)},
		"the legacy format":         {AsLegacyTransaction: new(true)},
		"a priority fee":            {PriorityFeeMicroLamports: new(uint64(20_000))},
		"a referral code":           {ReferralCode: "friends"},
		"a sponsor and a price, v0": {FeePayer: payer, PriorityFeeMicroLamports: new(uint64(0)), AsLegacyTransaction: new(false)},
	} {
		all = append(all,
			from(sandbox.BurnClose, "BuildBurn, "+name, c.BuildBurn, burnclose.BurnRequest{Owner: me, AssetID: dust, BurnAmount: new(walletfi.Amount(37)), Terms: terms}),
			from(sandbox.BurnClose, "BuildClose, "+name, c.BuildClose, burnclose.CloseRequest{Owner: me, AssetID: empty[0], Terms: terms}),
			from(sandbox.BurnClose, "BuildCloseAll, "+name, c.BuildCloseAll, burnclose.CloseAllRequest{Owner: me, Limit: new(25), Terms: terms}),
		)
	}
	return all
}

func swapVariants(t *testing.T, s *sandbox.Sandbox) []builder {
	c, err := swap.New(swap.Config{BaseURL: s.URL(sandbox.Swap), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Swap)), Options: atOnce()})
	require.NoError(t, err)
	trade, err := amm.New(amm.Config{TradeURL: s.URL(sandbox.AMM), DataURL: s.AMM().DataURL(), Options: atOnce()})
	require.NoError(t, err)
	ctx, me, usdc := t.Context(), s.WalletAddress(), s.Mint("USDC")
	var all []builder
	for _, pair := range [][2]string{{usdc, walletfi.NativeMint}, {walletfi.NativeMint, usdc}} {
		quote, err := c.GetQuote(ctx, swap.QuoteRequest{InputMint: pair[0], OutputMint: pair[1], Amount: 1_000_000, Slippage: walletfi.SlippageBps(100)})
		require.NoError(t, err)
		for _, wrap := range []bool{true, false} {
			if !wrap && pair[0] == walletfi.NativeMint {
				continue // spends wrapped SOL, which the wallet has none of
			}
			all = append(all, from(sandbox.Swap, fmt.Sprintf("BuildSwap of %.4s, wraps %v", pair[0], wrap), c.BuildSwap,
				swap.BuildRequest{Owner: me, Quote: quote, WrapAndUnwrapSOL: &wrap}))
		}
		in, err := trade.QuoteBaseIn(ctx, amm.QuoteRequest{InputMint: pair[0], OutputMint: pair[1], Amount: 1_000_000, Slippage: walletfi.SlippageBps(100), TxVersion: amm.TxVersionLegacy})
		require.NoError(t, err)
		all = append(all, from(sandbox.AMM, fmt.Sprintf("BuildSwap of %.4s, legacy", pair[0]), trade.BuildSwap,
			amm.SwapRequest{Quote: in, Owner: me, WrapSOL: new(true), UnwrapSOL: new(true)}))
	}
	return all
}
