package e2e

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// honest is a node that answers some of what a guard asks it.
type honest struct {
	*rpcnode.Client
	unread, unsimulated error
}

func (h honest) LookupTable(ctx context.Context, table signing.PublicKey) (signing.LookupTable, error) {
	if h.unread != nil {
		return signing.LookupTable{}, h.unread
	}
	return h.Client.LookupTable(ctx, table)
}

func (h honest) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	if h.unsimulated != nil {
		return nil, h.unsimulated
	}
	return h.Client.Simulate(ctx, r)
}

func (h honest) SimulateAfter(
	ctx context.Context, earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	if h.unsimulated != nil {
		return nil, h.unsimulated
	}
	return h.Client.SimulateAfter(ctx, earlier, r)
}

// knowledge holds what a guard learns besides the bytes.
type knowledge struct {
	name   string
	policy func(*signing.Policy, *rpcnode.Client)
	sees   bool // what becomes of each transaction
	down   bool // a caller has to get an error, and not a refusal
}

var errDown = errors.New("the node is down")

var knowledges = []knowledge{
	{name: "bytes alone", policy: func(*signing.Policy, *rpcnode.Client) {}},
	{name: "resolver", policy: func(p *signing.Policy, n *rpcnode.Client) { p.Resolver = n }},
	{name: "resolver and simulator", sees: true, policy: func(p *signing.Policy, n *rpcnode.Client) { p.Resolver, p.Simulator = n, n }},
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
		s := flows.Start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: shape})
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
		require.NoError(t, err)
		for _, b := range append(flows.Builders(t, s), flows.Variants(t, s)...) {
			if b.Prepare != nil {
				if shape != 1 {
					continue // its preparation lands a transaction that only the first shape holds
				}
				b.Prepare()
			}
			u, err := b.Build(t.Context())
			if errors.Is(err, walletfi.ErrDecode) {
				t.Logf("shape %d  %-13s %-34s no transaction in this shape", shape, b.Service, b.Name)
				continue
			}
			require.NoError(t, err, "%s of %s", b.Name, b.Service)
			t.Logf("shape %d  %-13s %-34s %s", shape, b.Service, b.Name, total.row(t, s, node, b, u))
		}
	}
	t.Logf("a simulator that is down is an error, not a refusal, in %d cases; %d approvals were built", total.down, total.approvals)
	t.Logf("%d honest transactions, %d refused", total.passed, total.refused)
	require.Greater(t, total.passed, 2000)
	require.Greater(t, total.down, 400)
	require.Zero(t, total.approvals, "no service of the sandbox asks for an approval, so that no intent names a delegate")
}

// row tries a builder's answer in each format, and returns its part of the table.
func (h *honestTable) row(t *testing.T, s *sandbox.Sandbox, node *rpcnode.Client, b flows.Builder, u walletfi.Unsigned) string {
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
			policy := flows.Policy(s)
			k.policy(&policy, node)
			if k.sees {
				policy.AllowBlind = nil // the common path, without a word from the user
			}
			txs, report, err := signing.NewGuard(policy).CheckSet(t.Context(), form.set)
			switch {
			case k.down:
				require.ErrorIs(t, err, errDown, "%s of %s, %s", b.Name, b.Service, form.name)
				require.NotErrorIs(t, err, signing.ErrRefused)
				h.down++
			case err != nil:
				h.refused++
				verdicts += " REFUSED"
				t.Errorf("%s of %s, %s, %s: %v\n%s", b.Name, b.Service, form.name, k.name, err, report)
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
