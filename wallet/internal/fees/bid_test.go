package fees_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

type base64 = walletfi.Base64Transaction

// spread draws a number of any size up to most.
func spread(r *rand.Rand, most uint64) uint64 { return r.Uint64N(1+most) >> r.UintN(64) }

// at says what transactions of those limits cost at a price.
func at(price uint64, costs []fees.Cost) []fees.Cost {
	paid := make([]fees.Cost, len(costs))
	for i, c := range costs {
		c.Price, c.Priority = price, feeOf(price, c.Units)
		paid[i] = c
	}
	return paid
}

// feeOf is the ledger's own formula: price times limit, in lamports, rounded up.
func feeOf(price, units uint64) uint64 {
	if price > 0 && units > (1<<64-1)/price {
		return 1<<64 - 1
	}
	fee := price * units / 1_000_000
	if price*units%1_000_000 > 0 {
		fee++
	}
	return fee
}

// TestNeverAboveTheCaps: 100,000 random policies, markets and transactions, over attempts of which
// some fail and are paid for: never a lamport above a cap, and a lamport less price would not
// have been the most.
func TestNeverAboveTheCaps(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 1))
	asked, capped, refused, several := 0, 0, 0, 0
	for range 100_000 {
		p := walletfi.FeePolicy{
			Percentile: 1 + r.IntN(100), Floor: spread(r, 1<<40), MaxPerTransaction: walletfi.Amount(1 + spread(r, 1<<36)), Growth: r.IntN(1001),
		}
		if r.IntN(2) == 0 {
			p.MaxPerKey = p.MaxPerTransaction + walletfi.Amount(spread(r, 1<<36))
		}
		require.NoError(t, p.Validate())
		prices := make([]uint64, 1+r.IntN(40))
		for i := range prices {
			prices[i] = spread(r, 1<<50)
		}
		recent := fees.Recent{Written: prices, All: prices, Others: prices}
		var costs []fees.Cost
		for range 1 + r.IntN(3) {
			costs = append(costs, fees.Cost{Units: r.Uint64N(1_400_001), Base: 5000 * (1 + r.Uint64N(3))})
		}
		bid, total := fees.Bid{Policy: p}, uint64(0)
		for range 4 {
			price, err := bid.Ask(recent, costs)
			if err != nil {
				require.ErrorIs(t, err, walletfi.ErrFeeMarket)
				refused++
				break
			}
			paid := at(price, costs)
			if price == 0 && bid.Check(paid) != nil { // the base fees alone
				require.Error(t, bid.Check(costs))
				break
			}
			require.NoError(t, bid.Check(paid), "%+v %+v", p, costs)
			for _, c := range paid {
				require.LessOrEqual(t, c.Base+c.Priority, p.MaxPerTransaction)
			}
			if r.IntN(2) == 0 { // it executes, with an error
				total += fees.Lamports(paid)
				bid.Paid = total
			} else {
				bid.Last = price
			}
			if p.MaxPerKey > 0 {
				require.LessOrEqual(t, total, p.MaxPerKey)
			}
			asked++
			if want := max(bid.Market(recent), p.Floor); price < want {
				capped++
			}
			if len(costs) > 1 {
				several++
			}
		}
	}
	t.Log(asked, capped, refused, several)
	for _, n := range []int{asked, capped, refused, several} {
		require.Greater(t, n, 10_000)
	}
}

// TestAsk: the percentile, the floor, the growth and each cap decide where they should.
func TestAsk(t *testing.T) {
	one := []fees.Cost{{Units: 200_000, Base: 5_000}}
	policy := walletfi.FeePolicy{Percentile: 75, MaxPerTransaction: 25_000, Growth: 50} // at most 100,000 a unit
	recent := []uint64{10, 40_000, 30, 20}
	rises := []uint64{100, 105, 110, 116, 122, 128, 134, 141}
	rises20 := append(repeated(100, 12), rises...)
	odd := slices.Clone(rises)
	odd[3], odd[7] = 1, 20_000
	for _, c := range []struct {
		name   string
		change func(*fees.Bid)
		recent []uint64
		all    []uint64
		others []uint64
		costs  []fees.Cost
		want   uint64
		wrong  bool
	}{
		{name: "the percentile", want: 30},
		{name: "the greatest", change: func(b *fees.Bid) { b.Policy.Percentile = 100 }, want: 40_000},
		{name: "the least", change: func(b *fees.Bid) { b.Policy.Percentile = 1 }, want: 10},
		{name: "all rise by a twentieth a slot", all: rises, want: 232},
		{name: "to the least of the newest", change: func(b *fees.Bid) { b.Policy.Percentile = 1 }, all: rises, want: 200},
		{name: "of which two are odd", all: odd, want: 233},
		{name: "nobody paid in one", all: append(slices.Clone(rises[:7]), 0), want: 30},
		{name: "seven are too few", all: rises[1:], want: 30},
		{name: "all fall", all: []uint64{141, 134, 128, 122, 116, 110, 105, 100}, want: 30},
		{name: "noise is no rise", all: []uint64{100, 109, 94, 104, 91, 106, 98, 103}, want: 30},
		{name: "all are steady", all: repeated(500, 20), want: 30},
		{name: "all rose before", all: append(slices.Clone(rises), repeated(141, 8)...), want: 30},
		{name: "only its accounts rise", recent: append(repeated(10, 150), rises...), all: repeated(10, 20), want: 10},
		{name: "they are dearer than all will be", recent: repeated(300, 4), all: rises, want: 300},
		{name: "all rise without end", all: []uint64{1, 10, 1e3, 1e5, 1e8, 1e12, 1e16, 1 << 63}, want: 100_000},
		{name: "eight per cent of all that it costs above the others", others: repeated(50_000, 20), want: 56_000},
		{name: "of a percentile that rises", all: rises, others: rises20, want: 348},
		{name: "at most half of the price", others: repeated(1_000, 20), want: 1_500},
		{name: "nineteen slots are too few", others: repeated(50_000, 19), want: 30},
		{name: "a quarter was free", others: append(repeated(50_000, 15), 0, 0, 0, 0, 0), want: 30},
		{name: "not a quarter was", others: append(repeated(50_000, 16), 0, 0, 0, 0), want: 56_000},
		{name: "a quarter of the newest was", others: append(repeated(50_000, 16), 0, 0, 0, 0, 0), want: 30},
		{name: "the newest rise", all: append([]uint64{0}, rises...), others: rises20, want: 348},
		{name: "nobody pays", recent: []uint64{0}, want: 0},
		{name: "all pay least", recent: []uint64{0}, others: repeated(1, 20), want: 2},
		{name: "of the least units", costs: []fees.Cost{{Units: 1, Base: 5_000}}, others: repeated(1e10, 20), want: 112e8},
		{name: "a tip is paid for no room", change: func(b *fees.Bid) { b.Tips = true }, others: repeated(50_000, 20), want: 30},
		{name: "never above the cap", others: repeated(99_000, 20), want: 100_000},
		{name: "the floor", change: func(b *fees.Bid) { b.Policy.Floor = 31 }, want: 31},
		{name: "the growth", change: func(b *fees.Bid) { b.Last = 21 }, want: 32},
		{name: "a market that grew more", change: func(b *fees.Bid) { b.Last = 19 }, want: 30},
		{name: "no growth", change: func(b *fees.Bid) { b.Last, b.Policy.Growth = 500, 0 }, want: 500},
		{name: "the cap of a transaction", change: func(b *fees.Bid) { b.Last = 90_000 }, want: 100_000},
		{name: "the floor is capped", change: func(b *fees.Bid) { b.Policy.Floor = 1 << 40 }, want: 100_000},
		{name: "the key's cap", change: func(b *fees.Bid) { b.Policy.MaxPerKey, b.Paid, b.Policy.Floor = 30_000, 24_000, 1<<40 }, want: 5_000},
		{name: "nothing is left for a priority fee", change: func(b *fees.Bid) { b.Policy.MaxPerKey, b.Paid = 30_000, 25_000 }, recent: []uint64{0}, want: 0},
		{name: "nothing is left", change: func(b *fees.Bid) { b.Policy.MaxPerKey, b.Paid = 30_000, 25_001 }, recent: []uint64{0}, wrong: true},
		{name: "the market is at the cap", recent: []uint64{100_000}, want: 100_000},
		{name: "the market is above the cap", recent: []uint64{100_001}, wrong: true},
		{name: "the newest slots decide", recent: append(make([]uint64, 100), repeated(100_001, 20)...), wrong: true},
		{name: "a quarter of them is cheap", recent: append(repeated(1, 5), repeated(100_001, 15)...), want: 100_000},
		{name: "a quarter less one", recent: append(repeated(1, 4), repeated(100_001, 16)...), wrong: true},
		{name: "the base fee is above the cap", costs: []fees.Cost{{Base: 25_001}}, recent: []uint64{0}, wrong: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := fees.Bid{Policy: policy}
			if c.change != nil {
				c.change(&b)
			}
			if c.recent == nil {
				c.recent = recent
			}
			if c.costs == nil {
				c.costs = one
			}
			price, err := b.Ask(fees.Recent{Written: c.recent, All: c.all, Others: c.others}, c.costs)
			if c.wrong {
				require.ErrorIs(t, err, walletfi.ErrFeeMarket)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, price)
		})
	}
}

// TestOwnBids: the slots at a price that the wallet has bid are not those of others. The 64 newest prices are
// remembered, each once, and what is asked for stays as it was.
func TestOwnBids(t *testing.T) {
	own, all := &fees.Own{}, []uint64{7, 1, 0, 2, 7, 3}
	require.Equal(t, all, own.Others(all))
	own.Add(nil)
	require.Equal(t, all, own.Others(all))
	own.Add([]fees.Cost{{Price: 7}, {Price: 2}})
	require.Equal(t, []uint64{1, 0, 3}, own.Others(all))
	require.Equal(t, []uint64{7, 1, 0, 2, 7, 3}, all)
	for price := range uint64(62) {
		own.Add([]fees.Cost{{Price: 100 + price}, {Price: 2}})
	}
	require.Equal(t, []uint64{1, 0, 3}, own.Others(all), "64 are known")
	own.Add([]fees.Cost{{Price: 1000}})
	require.Equal(t, []uint64{7, 1, 0, 7, 3}, own.Others(all), "the oldest is forgotten")
	own.Add([]fees.Cost{{Price: 1001}})
	require.Equal(t, all, own.Others(all))
	require.Empty(t, own.Others([]uint64{100, 161, 1000, 1001}))
}

func repeated(price uint64, n int) []uint64 {
	all := make([]uint64, n)
	for i := range all {
		all[i] = price
	}
	return all
}

// TestCheck: a lamport above a cap is a mismatch that says which.
func TestCheck(t *testing.T) {
	b := fees.Bid{Policy: walletfi.FeePolicy{Percentile: 1, MaxPerTransaction: 6_000, MaxPerKey: 11_000}, Paid: 2_000}
	require.NoError(t, b.Check([]fees.Cost{{Base: 5_000, Priority: 1_000}}))
	require.NoError(t, b.Check([]fees.Cost{{Base: 4_000}, {Base: 4_000, Priority: 1_000}}))
	for text, costs := range map[string][]fees.Cost{
		"transactions[1].fee": {{}, {Base: 5_000, Priority: 1_001}},
		"transactions.fee":    {{Base: 5_000}, {Base: 4_001}},
	} {
		err := b.Check(costs)
		require.ErrorIs(t, err, walletfi.ErrMismatch)
		require.ErrorContains(t, err, text+":")
	}
}
