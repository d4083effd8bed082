package sandbox_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/sandbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestTheDoorIsNarrow bounds the methods of Sandbox: the controls of one service
// belong on its handle.
func TestTheDoorIsNarrow(t *testing.T) {
	door := reflect.TypeFor[*sandbox.Sandbox]()
	assert.LessOrEqual(t, door.NumMethod(), 30)
	handles := 0
	for i := range door.NumMethod() {
		m := door.Method(i).Type
		if m.NumIn() == 1 && m.NumOut() == 1 && m.Out(0).Name() == door.Method(i).Name+"Handle" {
			handles++
			assert.Positive(t, m.Out(0).NumMethod(), "%s controls nothing", m.Out(0).Name())
		}
	}
	assert.Equal(t, 12, handles)
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []sandbox.Config{
		{SlotTime: -1}, {Shape: -1}, {BasePort: -1}, {WebhookTimeout: -1}, {PredictMetaLimit: -1},
		{Network: &sandbox.Network{Reach: 1.5}},
		{Tiers: map[sandbox.Service]sandbox.Tier{"lendign": sandbox.TierPro}},
		{Tiers: map[sandbox.Service]sandbox.Tier{sandbox.Lending: "gold"}},
	} {
		_, err := sandbox.Start(c)
		assert.Error(t, err, "%+v", c)
	}
}

func TestTheDoorShowsTheRooms(t *testing.T) {
	s, err := sandbox.Start(sandbox.Config{Seed: 4, ManualClock: true, Tiers: map[sandbox.Service]sandbox.Tier{sandbox.Lending: sandbox.TierPro}})
	require.NoError(t, err)
	defer s.Close()
	assert.Equal(t, sandbox.Services(), servicesOf(s.Routes()))
	assert.Len(t, s.Wallet(), 64)
	assert.NotEmpty(t, s.ProgramID(sandbox.Swap))
	assert.Equal(t, "SOL", s.Ledger().Tokens()[0].Symbol)
	assert.Equal(t, s.Mint("SOL"), s.Ledger().Tokens()[0].Mint)
	require.NoError(t, s.Ledger().FundWallet(s.WalletAddress(), 7))
	assert.EqualValues(t, int64(100_000_000_007), s.Ledger().Balance(s.WalletAddress()))
	a, ok := s.Ledger().TokenAccount(s.Ledger().AssociatedAccount(s.WalletAddress(), s.Mint("USDC")))
	assert.True(t, ok)
	assert.Equal(t, sandbox.TokenAccount{Mint: s.Mint("USDC"), Owner: s.WalletAddress(), Amount: 10_000_000_000}, a)
}

// servicesOf returns the services of the routes without duplicates.
func servicesOf(routes []sandbox.Route) (all []sandbox.Service) {
	for _, r := range routes {
		if len(all) == 0 || all[len(all)-1] != r.Service {
			all = append(all, r.Service)
		}
	}
	return all
}
