package build

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// feeMarket is the other traffic of a play.FeeMarket. It is a function of the slot.
type feeMarket struct {
	play.FeeMarket
	hot   []solana.PublicKey
	slot  time.Duration
	known map[uint64][]ledger.Bid
}

// The other traffic of a block, and of a hot account in it: so many shares, of which so
// many fit.
const (
	shares    = 64
	shareRoom = 48
)

// How a price moves.
const (
	riseTime   = 20 * time.Second
	spikeTime  = 8 * time.Second
	spikeEvery = 40 * time.Second
	waveTime   = time.Minute
)

// mostKnown is how many slots' traffic is remembered.
const mostKnown = 2048

// newFeeMarket fills in what is zero.
func newFeeMarket(f play.FeeMarket, c play.Config) (*feeMarket, error) {
	f.Seed = cmp.Or(f.Seed, c.Seed)
	f.Price, f.Times = cmp.Or(f.Price, 10_000), cmp.Or(f.Times, 10)
	f.Curve = cmp.Or(f.Curve, play.FeesCalm)
	f.BlockUnits, f.AccountUnits = cmp.Or(f.BlockUnits, 60_000_000), cmp.Or(f.AccountUnits, 12_000_000)
	m := &feeMarket{FeeMarket: f, slot: c.SlotTime, known: map[uint64][]ledger.Bid{}}
	if !slices.Contains([]play.FeeCurve{play.FeesCalm, play.FeesRising, play.FeesSpike, play.FeesWaves}, f.Curve) {
		return nil, fmt.Errorf("sandbox: the fee market has no curve %q", f.Curve)
	}
	for _, text := range f.Hot {
		key, err := solana.PublicKeyFromBase58(text)
		if err != nil {
			return nil, fmt.Errorf("sandbox: %q of FeeMarket.Hot is no address", text)
		}
		m.hot = append(m.hot, key)
	}
	return m, nil
}

// level is about the least price in the block of a slot.
func (m *feeMarket) level(slot uint64) float64 {
	at := time.Duration(int64(slot)-kit.FirstSlot) * m.slot
	calm, busy := float64(m.Price), float64(m.Times)
	switch m.Curve {
	case play.FeesRising:
		since := min(max(at-m.Begin, 0), riseTime)
		return calm * math.Pow(busy, since.Seconds()/riseTime.Seconds())
	case play.FeesSpike:
		period := at / spikeEvery
		begin := time.Duration(m.draw(uint64(period), 0) * float64(spikeEvery-spikeTime))
		if into := at - period*spikeEvery; at >= 0 && into >= begin && into < begin+spikeTime {
			return calm * busy
		}
	case play.FeesWaves:
		up := (1 - math.Cos(2*math.Pi*at.Seconds()/waveTime.Seconds())) / 2
		return calm * math.Pow(busy, up)
	}
	return calm
}

// draw is a number from 0 to less than 1.
func (m *feeMarket) draw(of, i uint64) float64 {
	return float64(kit.Mix(kit.Mix(m.Seed^of)+i)>>11) / (1 << 53)
}

// others are what the other traffic bids for the block of a slot, the highest first.
func (m *feeMarket) others(slot uint64) []ledger.Bid {
	if known, ok := m.known[slot]; ok {
		return known
	}
	if len(m.known) >= mostKnown {
		clear(m.known)
	}
	level, bids := m.level(slot), []ledger.Bid{}
	add := func(group uint64, level float64, units uint64, writable ...solana.PublicKey) {
		for i := range uint64(shares) {
			// A fourth of the shares find no room: the least price of the others is about the level.
			price := level * (0.7 + 1.2*m.draw(slot, 1+group*shares+i))
			bids = append(bids, ledger.Bid{Price: uint64(price), Units: units, Writable: writable})
		}
	}
	add(0, level, m.BlockUnits/shareRoom)
	for i, key := range m.hot {
		add(uint64(i)+1, level*float64(m.Times), m.AccountUnits/shareRoom, key)
	}
	slices.SortStableFunc(bids, func(a, b ledger.Bid) int { return cmp.Compare(b.Price, a.Price) })
	m.known[slot] = bids
	return bids
}

// filling is a block that fills.
type filling struct {
	*feeMarket
	used    uint64
	written map[solana.PublicKey]uint64
}

// fill is the block of a slot with what landed in it of the ledger's.
func (m *feeMarket) fill(landed []ledger.Bid) *filling {
	f := &filling{m, 0, map[solana.PublicKey]uint64{}}
	for _, b := range landed {
		f.add(b, b.Units)
	}
	return f
}

// room is how many units the block still has for what a bid writes.
func (f *filling) room(b ledger.Bid) uint64 {
	left := f.BlockUnits - min(f.used, f.BlockUnits)
	for _, key := range b.Writable {
		left = min(left, f.AccountUnits-min(f.written[key], f.AccountUnits))
	}
	return left
}

func (f *filling) add(b ledger.Bid, units uint64) {
	f.used += units
	for _, key := range b.Writable {
		f.written[key] += units
	}
}

// least is the least price at which a bid gets into the block of a slot, beside what
// landed in it at a higher price. It is false if none does.
func (m *feeMarket) least(slot uint64, landed []ledger.Bid, b ledger.Bid) (price uint64, ok bool) {
	f := m.fill(landed)
	for _, other := range m.others(slot) {
		if f.room(b) < b.Units {
			return price, ok
		}
		price, ok = other.Price, true
		f.add(other, min(other.Units, f.room(other)))
	}
	if f.room(b) < b.Units {
		return price, ok
	}
	return 0, true
}

// recent is the least price in the block of a slot, or the greatest of the least prices
// of accounts in it.
func (m *feeMarket) recent(slot uint64, landed []ledger.Bid, accounts []solana.PublicKey) uint64 {
	in := slices.Clone(landed)
	if m != nil {
		f := m.fill(landed)
		for _, other := range m.others(slot) {
			if f.room(other) > 0 {
				f.add(other, min(other.Units, f.room(other)))
				in = append(in, other)
			}
		}
	}
	most := leastOf(in, func(ledger.Bid) bool { return true })
	for _, key := range accounts {
		most = max(most, leastOf(in, func(b ledger.Bid) bool { return slices.Contains(b.Writable, key) }))
	}
	return most
}

// leastOf is the least price of some bids, 0 if there is none.
func leastOf(bids []ledger.Bid, of func(ledger.Bid) bool) uint64 {
	least, found := uint64(math.MaxUint64), false
	for _, b := range bids {
		if of(b) {
			least, found = min(least, b.Price), true
		}
	}
	if !found {
		return 0
	}
	return least
}
