package node_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	computebudget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// marketed is a sandbox with a fee market.
func marketed(t *testing.T, f play.FeeMarket) *started {
	return start(t, play.Config{ManualClock: true, Network: &play.Network{Fees: &f}})
}

// priced sends a payment of the wallet's at a price, and returns its signature.
func (s *started) priced(t *testing.T, to solana.PublicKey, lamports, price uint64, units uint32) string {
	t.Helper()
	latest := s.ok(t, 0, "getLatestBlockhash", object{"commitment": "processed"})
	from := build.PublicKey(s.Wallet())
	tx, err := solana.NewTransaction([]solana.Instruction{
		computebudget.NewSetComputeUnitLimitInstruction(units).Build(), computebudget.NewSetComputeUnitPriceInstruction(price).Build(),
		system.NewTransferInstruction(lamports, from, to).Build(),
	}, solana.MustHashFromBase58(latest.Text("value", "blockhash")), solana.TransactionPayer(from))
	require.NoError(t, err)
	_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return new(solana.PrivateKey(s.Wallet())) })
	require.NoError(t, err)
	s.send(t, tx)
	return tx.Signatures[0].String()
}

// landedIn is the slot of a transaction, 0 if it has not landed.
func (s *started) landedIn(signature string) uint64 {
	return s.View().TransactionStatus(signature).Slot
}

// fees are the answer of a node.
func (s *started) fees(t *testing.T, i int, accounts ...string) (slots, fees []uint64) {
	t.Helper()
	params := []any{}
	if len(accounts) > 0 {
		params = append(params, accounts)
	}
	a := s.ok(t, i, "getRecentPrioritizationFees", params...)
	for at := range a.JSON.([]any) {
		slots = append(slots, worldtest.Number(t, a.Text(at, "slot")))
		fees = append(fees, worldtest.Number(t, a.Text(at, "prioritizationFee")))
	}
	return slots, fees
}

// TestLeastPriceIsTheLeast sends transactions at the price that the market asks of them in
// the block that they get into, and at one less.
func TestLeastPriceIsTheLeast(t *testing.T) {
	for _, curve := range []play.FeeCurve{"", play.FeesRising, play.FeesSpike, play.FeesWaves} {
		for _, hot := range []bool{false, true} {
			t.Run(fmt.Sprint(curve, hot), func(t *testing.T) {
				to := build.PublicKey(start(t, play.Config{ManualClock: true}).Keypair("to"))
				market := play.FeeMarket{Curve: curve, Price: 1000}
				if hot {
					market.Hot = []string{to.String()}
				}
				s := marketed(t, market)
				seen := map[uint64]bool{}
				for range 100 {
					slot := s.CurrentSlot() + 2
					least, err := s.LeastPrice([]string{s.WalletAddress(), to.String()}, 200_000, slot, slot)
					require.NoError(t, err)
					exact := s.priced(t, to, 1_000_000, least, 200_000)
					s.Advance(3 * 400 * time.Millisecond)
					require.Equal(t, slot, s.landedIn(exact), "at %d", least)
					next := slot + 3
					least, err = s.LeastPrice([]string{s.WalletAddress(), to.String()}, 200_000, next, next+3)
					require.NoError(t, err)
					less := s.priced(t, to, 1_000_000, least-1, 200_000)
					s.Advance(7 * 400 * time.Millisecond)
					require.Zero(t, s.landedIn(less), "at less than %d", least)
					seen[least] = true
				}
				lo, hi := slices.Min(slices.Collect(maps.Keys(seen))), slices.Max(slices.Collect(maps.Keys(seen)))
				require.Greater(t, hi, lo)
				calm := uint64(1000)
				if hot {
					calm *= 10
				}
				require.InDelta(t, calm, lo, .3*float64(calm))
				if curve != "" {
					require.InDelta(t, 10*calm, hi, 4*float64(calm))
				}
			})
		}
	}
}

// TestHighestPriceFirst: an account has room for two of five transactions a block.
func TestHighestPriceFirst(t *testing.T) {
	s := marketed(t, play.FeeMarket{Price: 1000, AccountUnits: 400_000})
	to := build.PublicKey(s.Keypair("to"))
	sent := map[uint64]string{}
	for _, price := range []uint64{5000, 1, 9000, 7000, 8000, 6000} {
		sent[price] = s.priced(t, to, 1_000_000+price, price, 200_000)
	}
	s.Advance(20 * 400 * time.Millisecond)
	for price, slot := range map[uint64]uint64{9000: 2, 8000: 2, 7000: 3, 6000: 3, 5000: 4} {
		assert.Equal(t, first+slot, s.landedIn(sent[price]), "%d", price)
	}
	assert.Zero(t, s.landedIn(sent[1]))
}

// TestDroppedSilently: what does not reach is neither told nor charged, waits for the
// leader's four slots, and lands when it is sent again as the price has fallen.
func TestDroppedSilently(t *testing.T) {
	s := marketed(t, play.FeeMarket{Price: 1000, Times: 100, Curve: play.FeesSpike})
	to, me := build.PublicKey(s.Keypair("to")), build.PublicKey(s.Wallet())
	_, prices := s.fees(t, 0)
	for ; slices.Max(prices) < 50_000; _, prices = s.fees(t, 0) { // to the first spike
		s.Advance(400 * time.Millisecond)
	}
	before := s.View().Balance(me.String())
	signature := s.priced(t, to, 1_000_000, 2000, 200_000)
	s.Advance(6 * 400 * time.Millisecond)
	assert.False(t, s.View().TransactionStatus(signature).Found)
	assert.Equal(t, before, s.View().Balance(me.String()))
	s.Advance(10 * time.Second)
	assert.False(t, s.View().TransactionStatus(signature).Found, "the leader has dropped it")
	signature = s.priced(t, to, 1_000_000, 2000, 200_000)
	s.Advance(3 * 400 * time.Millisecond)
	assert.True(t, s.View().TransactionStatus(signature).Found)
	assert.Equal(t, before-1_000_000-5000-400, s.View().Balance(me.String()))
}

// TestFailureIsCharged: the base fee and the priority fee, rounded up.
func TestFailureIsCharged(t *testing.T) {
	s := marketed(t, play.FeeMarket{Price: 10})
	before := s.View().Balance(s.WalletAddress())
	signature := s.priced(t, build.PublicKey(s.Keypair("to")), 1<<50, 77_777, 3001)
	s.Advance(5 * 400 * time.Millisecond)
	status := s.View().TransactionStatus(signature)
	require.NotEmpty(t, status.Err)
	require.EqualValues(t, 5000+234, status.Fee) // 77,777 * 3,001 / 1,000,000 is 233.4
	require.Equal(t, before-status.Fee, s.View().Balance(s.WalletAddress()))
}

func TestRecentFees(t *testing.T) {
	hot := build.PublicKey(start(t, play.Config{ManualClock: true}).Keypair("hot")).String()
	s := start(t, play.Config{ManualClock: true, Network: &play.Network{
		SkipEvery: 7, Nodes: []play.Node{{}, {Lag: 3}}, Fees: &play.FeeMarket{Price: 1000, Hot: []string{hot}},
	}})
	s.Advance(100 * time.Second)
	mine := s.priced(t, build.PublicKey(s.Keypair("to")), 1_000_000, 400_000, 200_000)
	s.Advance(5 * 400 * time.Millisecond)
	at := s.landedIn(mine)
	require.NotZero(t, at)
	head := s.CurrentSlot()

	slots, fees := s.fees(t, 0)
	require.Len(t, slots, 150)
	assert.True(t, slices.IsSorted(slots))
	assert.Equal(t, s.BlockAt(head-1), slots[149], "the newest confirmed")
	for i, slot := range slots {
		assert.Equal(t, slot, s.BlockAt(slot), "it has a block")
		assert.InDelta(t, 1200, fees[i], 400) // the hot account's traffic takes a fifth of the room
	}
	lagging, _ := s.fees(t, 1)
	assert.Equal(t, s.BlockAt(head-4), lagging[149])

	_, hotFees := s.fees(t, 0, hot)
	for i := range slots {
		assert.InDelta(t, 10_000, hotFees[i], 3000)
	}
	_, own := s.fees(t, 0, s.WalletAddress())
	for i, slot := range slots {
		if slot == at {
			assert.EqualValues(t, 400_000, own[i], "what the wallet paid")
			continue
		}
		assert.Equal(t, fees[i], own[i])
	}
	_, both := s.fees(t, 0, hot, s.WalletAddress())
	for i := range slots {
		assert.Equal(t, max(hotFees[i], own[i]), both[i])
	}
	_, again := s.fees(t, 0, slices.Repeat([]string{hot}, 128)...)
	assert.Equal(t, hotFees, again)
}

func TestRecentFeesWithoutMarket(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Advance(4 * time.Second)
	mine := s.priced(t, build.PublicKey(s.Keypair("to")), 1_000_000, 400_000, 200_000)
	s.Advance(time.Second)
	slots, fees := s.fees(t, 0)
	require.Len(t, slots, 150)
	for i, slot := range slots {
		want := uint64(0)
		if slot == s.landedIn(mine) {
			want = 400_000
		}
		assert.Equal(t, want, fees[i])
	}
}

func TestRecentFeesRefuses(t *testing.T) {
	s := marketed(t, play.FeeMarket{})
	for _, c := range []struct {
		params  any
		message string
	}{
		{slices.Repeat([]string{s.WalletAddress()}, 129), "Too many inputs provided; max 128"},
		{[]string{"nobody"}, "Invalid param: WrongSize"},
		{7, "Invalid params: invalid type: integer `7`, expected a sequence."},
	} {
		_, problem := s.rpc(t, "getRecentPrioritizationFees", c.params)
		assert.Equal(t, c.message, problem["message"])
		assert.Equal(t, "-32602", fmt.Sprint(problem["code"]))
	}
	defer s.Fault(play.Route{Service: play.RPC, Pattern: "getRecentPrioritizationFees"}, play.Fault{Status: 429})()
	response, err := s.Client.Post(s.URL(play.RPC), "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getRecentPrioritizationFees"}`))
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, 429, response.StatusCode)
}

// TestMarketFollowsItsSeed: the other traffic is the same for a seed, whatever is asked
// and sent.
func TestMarketFollowsItsSeed(t *testing.T) {
	told := func(seed uint64, sends bool) []uint64 {
		s := marketed(t, play.FeeMarket{Seed: seed, Curve: play.FeesWaves})
		for range 20 {
			s.Advance(2 * time.Second)
			if sends {
				s.priced(t, build.PublicKey(s.Keypair("to")), 1_000_000, 1_000_000, 1)
				s.fees(t, 0)
			}
		}
		_, fees := s.fees(t, 0)
		return fees
	}
	assert.Equal(t, told(3, false), told(3, false))
	assert.NotEqual(t, told(3, false), told(4, false))
	assert.Equal(t, told(3, false), told(3, true))
}

func TestLeastPriceRefuses(t *testing.T) {
	s := marketed(t, play.FeeMarket{AccountUnits: 1000})
	for _, c := range []struct {
		writable        string
		units, from, to uint64
	}{
		{"nobody", 1, first, first}, {s.WalletAddress(), 1, first, first - 1}, {s.WalletAddress(), 1, 0, 1<<64 - 1},
		{s.WalletAddress(), 1001, first, first + 9},
	} {
		_, err := s.LeastPrice([]string{c.writable}, c.units, c.from, c.to)
		assert.Error(t, err, "%v", c)
	}
	_, err := s.LeastPrice([]string{s.WalletAddress()}, 1000, 1<<64-1, 1<<64-1)
	assert.NoError(t, err)
	for _, f := range []play.FeeMarket{{Curve: "flat"}, {Hot: []string{"nobody"}}} {
		_, err := world.Open(play.Config{Network: &play.Network{Fees: &f}})
		assert.Error(t, err)
	}
}
