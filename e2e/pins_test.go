package e2e

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// TestTypedPins: what [signing.Guard.Learn] proposes of the builders' answers is the file of
// typed pins, and under it alone the guard passes every builder and every variant. Under the
// pins without one of their roles it refuses some, and under another instruction all that
// call a program.
func TestTypedPins(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: 1})
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(s.URL(sandbox.RPC))})
	require.NoError(t, err)
	samples := map[string][]walletfi.Unsigned{}
	for _, b := range append(flows.Builders(t, s), flows.Variants(t, s)...) {
		if b.Prepare != nil {
			b.Prepare()
		}
		for range 2 { // one sample alone is not believed
			u, err := b.Build(t.Context())
			require.NoError(t, err, b.Name)
			samples[string(b.Service)] = append(samples[string(b.Service)], u)
		}
	}
	guard := signing.NewGuard(signing.Policy{Simulator: node, Resolver: node})
	learned := map[string][]signing.Pin{}
	for service, all := range samples {
		p, err := guard.Learn(t.Context(), service, all)
		require.NoError(t, err, service)
		if pins := p.TypedPins(2); len(pins) > 0 {
			learned[service] = pins
		}
	}
	stored, err := os.ReadFile("testdata/pins.json")
	require.NoError(t, err)
	text, err := json.MarshalIndent(learned, "", "  ")
	require.NoError(t, err)
	require.JSONEq(t, string(stored), string(text))
	var pins map[string][]signing.Pin
	require.NoError(t, json.Unmarshal(stored, &pins))

	passing := func(change func(*signing.Pin)) (passed, refused int) {
		changed := map[string][]signing.Pin{}
		for service, all := range pins {
			for _, p := range all {
				p.MayWrite = slices.Clone(p.MayWrite)
				change(&p)
				changed[service] = append(changed[service], p)
			}
		}
		guard := signing.NewGuard(signing.Policy{TypedPins: changed, Simulator: node, Resolver: node})
		for service, all := range samples {
			for _, u := range all {
				_, report, err := guard.CheckSet(t.Context(), u)
				if err == nil {
					passed++
					continue
				}
				refused++
				require.ErrorIs(t, err, signing.ErrRefused, service)
				require.Equal(t, signing.RulePinnedCall, report.Refusal.Rule)
			}
		}
		return passed, refused
	}
	_, refused := passing(func(*signing.Pin) {})
	require.Zero(t, refused, "honest sets")
	for _, role := range []signing.Role{signing.OwnerWallet, signing.SpentAccount, signing.ReceivedAccount} {
		_, refused := passing(func(p *signing.Pin) {
			p.MayWrite = slices.DeleteFunc(p.MayWrite, func(r signing.Role) bool {
				return r == role || r == signing.AnyAccount
			})
		})
		require.Positive(t, refused, role)
	}
	passed, refused := passing(func(p *signing.Pin) { p.Instructions = []signing.Discriminator{{1}} })
	require.Equal(t, unpinned(t, samples), passed, "sets that call no program without rules")
	require.Positive(t, refused)
}

// unpinned counts the sets that pass without pins.
func unpinned(t *testing.T, samples map[string][]walletfi.Unsigned) (n int) {
	for _, all := range samples {
		for _, u := range all {
			if _, _, err := signing.NewGuard(signing.Policy{}).CheckSet(t.Context(), u); err == nil {
				n++
			}
		}
	}
	return n
}
