package predictmeta_test

import (
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// levels reads "price@quantity" texts.
func levels(t testing.TB, texts ...string) []predictmeta.Level {
	t.Helper()
	all := make([]predictmeta.Level, 0, len(texts))
	for i, text := range texts {
		all = append(all, predictmeta.Level{Quantity: uint64(i + 1)})
		if text != "" {
			all[i].Price = wiretest.Decimal(t, text)
		}
	}
	return all
}

func prices(all []predictmeta.Level) []string {
	texts := make([]string, len(all))
	for i, level := range all {
		texts[i] = level.Price.String()
	}
	return texts
}

func TestOrderBook(t *testing.T) {
	at := time.Unix(1767225600, 0)
	for name, row := range map[string]struct {
		bids, asks         []string
		wantBids, wantAsks []string
		mid, spread        string // "" where there is none
	}{
		"empty":               {wantBids: []string{}, wantAsks: []string{}},
		"one side":            {bids: []string{"0.5"}, wantBids: []string{"0.5"}, wantAsks: []string{}},
		"sorted":              {bids: []string{"0.51", "0.5"}, asks: []string{"0.52", "0.53"}, wantBids: []string{"0.51", "0.5"}, wantAsks: []string{"0.52", "0.53"}, mid: "0.515", spread: "0.01"},
		"the other way round": {bids: []string{"0.5", "0.51"}, asks: []string{"0.53", "0.52"}, wantBids: []string{"0.51", "0.5"}, wantAsks: []string{"0.52", "0.53"}, mid: "0.515", spread: "0.01"},
		"equal in value":      {bids: []string{"0.50", "0.5", "5e-1"}, asks: []string{"1", "1.0"}, wantBids: []string{"0.50", "0.5", "5e-1"}, wantAsks: []string{"1", "1.0"}, mid: "0.75", spread: "0.5"},
		"exact":               {bids: []string{"0.000000000000000000000000000001"}, asks: []string{"0.3"}, wantBids: []string{"0.000000000000000000000000000001"}, wantAsks: []string{"0.3"}, mid: "0.1500000000000000000000000000005", spread: "0.299999999999999999999999999999"},
		"crossed":             {bids: []string{"0.6"}, asks: []string{"0.4"}, wantBids: []string{"0.6"}, wantAsks: []string{"0.4"}, mid: "0.5", spread: "-0.2"},
		"10 is more than 9":   {bids: []string{"9", "10", "9.5"}, asks: []string{"100", "11"}, wantBids: []string{"10", "9.5", "9"}, wantAsks: []string{"11", "100"}, mid: "10.5", spread: "1"},
		"exponents and signs": {bids: []string{"-1", "1e-2", "0.02"}, asks: []string{"1E0", "0.9"}, wantBids: []string{"0.02", "1e-2", "-1"}, wantAsks: []string{"0.9", "1E0"}, mid: "0.46", spread: "0.88"},
		"no price":            {bids: []string{"", "0.1"}, asks: []string{"0.2", "1e999"}, wantBids: []string{"0.1"}, wantAsks: []string{"0.2"}, mid: "0.15", spread: "0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			b := predictmeta.NewOrderBook("MK-1", at, levels(t, row.bids...), levels(t, row.asks...))
			require.Equal(t, "MK-1", b.Ticker())
			require.Equal(t, at, b.Timestamp())
			require.Equal(t, row.wantBids, prices(b.Bids()))
			require.Equal(t, row.wantAsks, prices(b.Asks()))
			best, ok := b.BestBid()
			require.Equal(t, len(row.wantBids) > 0, ok)
			if ok {
				require.Equal(t, row.wantBids[0], best.Price.String())
			}
			best, ok = b.BestAsk()
			require.Equal(t, len(row.wantAsks) > 0, ok)
			if ok {
				require.Equal(t, row.wantAsks[0], best.Price.String())
			}
			mid, ok := b.Mid()
			require.Equal(t, row.mid, mid.String())
			require.Equal(t, row.mid != "", ok)
			spread, ok := b.Spread()
			require.Equal(t, row.spread, spread.String())
			require.Equal(t, row.spread != "", ok)
		})
	}
}

func TestOrderBookDepth(t *testing.T) {
	bids := []predictmeta.Level{{Price: wiretest.Decimal(t, "0.50"), Quantity: 5}, {Price: wiretest.Decimal(t, "0.52"), Quantity: 7}, {Price: wiretest.Decimal(t, "0.51"), Quantity: 0}}
	asks := []predictmeta.Level{{Price: wiretest.Decimal(t, "0.60"), Quantity: maxUint64}, {Price: wiretest.Decimal(t, "0.55"), Quantity: 1}}
	b := predictmeta.NewOrderBook("MK-1", time.Time{}, bids, asks)
	require.Len(t, b.Bids(), 2, "a level of nothing is none")
	for limit, want := range map[string][2]uint64{
		"":     {12, maxUint64},
		"0.52": {7, 0}, "0.520": {7, 0}, "0.5": {12, 0}, "0.53": {0, 0}, "0.55": {0, 1}, "0.6": {0, maxUint64}, "0.0": {12, 0},
	} {
		var price walletfi.Decimal
		if limit != "" {
			price = wiretest.Decimal(t, limit)
		}
		require.Equal(t, want, [2]uint64{b.BidDepth(price), b.AskDepth(price)}, limit)
	}
}

func TestOrderBookIsItsOwn(t *testing.T) {
	bids := levels(t, "0.5", "0.6")
	b := predictmeta.NewOrderBook("MK-1", time.Time{}, bids, nil)
	require.Equal(t, []string{"0.5", "0.6"}, prices(bids), "the caller's levels stay as they are")
	bids[1].Price = wiretest.Decimal(t, "0.1")
	b.Bids()[0].Quantity = 99
	best, _ := b.BestBid()
	require.Equal(t, predictmeta.Level{Price: wiretest.Decimal(t, "0.6"), Quantity: 2}, best)
}

// The book's order is that of the exact values.
func TestOrderBookOrder(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var texts []string
		for range 20 {
			texts = append(texts, strconv.FormatFloat(source.Float64()*12, "fge"[source.IntN(3)], source.IntN(5), 64))
		}
		asks := predictmeta.NewOrderBook("", time.Time{}, nil, levels(t, texts...)).Asks()
		require.Len(t, asks, 20)
		for i := range asks[1:] {
			require.LessOrEqual(t, asks[i].Price.Rat().Cmp(asks[i+1].Price.Rat()), 0, "%s before %s", asks[i].Price, asks[i+1].Price)
		}
	}
}

func TestSnapshotToBook(t *testing.T) {
	at := instant(t, "2026-01-01T00:00:00Z")
	snapshot := predictmeta.BookSnapshot{Ticker: "MK-1", Timestamp: at, Bids: levels(t, "0.4", "0.5"), Asks: levels(t, "0.7")}
	require.Equal(t, predictmeta.NewOrderBook("MK-1", at.Time, levels(t, "0.4", "0.5"), levels(t, "0.7")), snapshot.OrderBook())
}

func BenchmarkOrderBook(b *testing.B) {
	bids, asks := levels(b, "0.52", "0.51", "0.505", "0.49", "0.48"), levels(b, "0.53", "0.54", "0.555", "0.56", "0.6")
	b.ReportAllocs()
	for b.Loop() {
		predictmeta.NewOrderBook("MK-1", time.Time{}, bids, asks)
	}
}
