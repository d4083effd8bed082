package fees

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
)

// Bid says what a key may pay by now.
type Bid struct {
	Policy walletfi.FeePolicy
	Paid   uint64 // lamports that earlier sets of the key cost, or may cost yet
	Last   uint64 // the price of the attempt that has expired, 0 if there was none
	Tips   bool   // prices are tips, in lamports, of the costs of Tipping
}

// Tipping are the costs of n transactions whose price in micro-lamports is their tip in lamports.
func Tipping(n int) []Cost { return slices.Repeat([]Cost{{Units: microPerLamport}}, n) }

// newestSlots are those whose cheaper quarter tells whether a capped price can land at all.
const newestSlots = 20

func newest(recent []uint64, n int) []uint64 { return recent[max(0, len(recent)-n):] }

// Percentile returns the price below which so many per cent of the prices are, itself included.
func Percentile(prices []uint64, percent int) uint64 {
	if len(prices) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(prices))
	return sorted[(len(sorted)*percent+99)/100-1]
}

// Recent has the recent prices, the oldest first.
type Recent struct {
	Written []uint64 // of the accounts that are written, or of all where those are dearer
	All     []uint64 // of all transactions
	Others  []uint64 // of All those that this wallet has not bid
}

// Bounds of what is read out of a market that rises.
const (
	trendSlots = 8   // that show it
	aheadSlots = 10  // after which a transaction gets there, if one of its first three sends does
	leastTrend = 1.1 // over trendSlots: less is noise
	mostTrend  = 2   // that is paid in advance
)

// Market is the price that the policy asks for by the recent prices: their percentile, or, if all
// prices rise, that of the newest ones as they will be when the transaction gets there. The newest
// ones of its accounts alone do not count for more: where only this wallet and its like write them,
// they are its own, and would feed on themselves. The least price of a full block does not rise
// with those that pay more.
func (b Bid) Market(recent Recent) uint64 {
	return max(Percentile(recent.Written, b.Policy.Percentile), b.rising(newest(recent.All, trendSlots)))
}

// rising is the percentile of prices that are carried on by their trend. It is 0 if they do not rise.
func (b Bid) rising(prices []uint64) uint64 {
	if len(prices) < trendSlots || slices.Min(prices) == 0 {
		return 0
	}
	var growths []float64 // per slot, between any two: a few odd slots do not move the median
	for j := range prices {
		for i := range j {
			growths = append(growths, (math.Log(float64(prices[j]))-math.Log(float64(prices[i])))/float64(j-i))
		}
	}
	slices.Sort(growths)
	growth := growths[len(growths)/2]
	if growth < math.Log(leastTrend)/trendSlots {
		return 0
	}
	then := make([]uint64, len(prices))
	for i, price := range prices {
		ahead := min(math.Exp(growth*float64(len(prices)-1-i+aheadSlots)), mostTrend)
		then[i] = portion.Up(price, uint64(ahead*microPerLamport), microPerLamport)
	}
	return Percentile(then, b.Policy.Percentile)
}

// Bounds of what is paid above the market, in case it begins to rise when nothing shows it yet. A bid that
// is too low costs the life of a blockhash, after which a low cap may allow nothing any more.
const (
	mostAhead   = 8  // per cent of all that landing costs, base fees included
	mostStep    = 50 // per cent of the price, where the base fees are nearly all of the cost
	mostOwnBids = 64 // that are remembered
)

// ahead is a price above that of all transactions. It is 0 if hardly anything is known of them, or if they
// are not asked for a price in each slot.
func (b Bid) ahead(recent Recent, costs []Cost) uint64 {
	others := recent.Others
	if b.Tips || len(others) < newestSlots || Percentile(newest(others, newestSlots), 25) == 0 {
		return 0
	}
	price := max(Percentile(others, b.Policy.Percentile), b.rising(newest(recent.All, trendSlots)))
	free := portion.Down(base(costs), microPerLamport, max(Units(costs), 1))
	return plus(price, min(portion.Up(plus(price, free), mostAhead, 100), portion.Up(price, mostStep, 100)))
}

// Own remembers the prices that a wallet has bid. It is safe for concurrent use.
type Own struct {
	mu     sync.Mutex
	prices []uint64
}

// Add notes what was built.
func (o *Own) Add(costs []Cost) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, c := range costs {
		if !slices.Contains(o.prices, c.Price) {
			o.prices = append(newest(o.prices, mostOwnBids-1), c.Price)
		}
	}
}

// Others leaves out the slots whose price a wallet has bid itself: on a cluster where it sends alone, what is
// paid above the market would raise the market.
func (o *Own) Others(all []uint64) []uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(all), func(price uint64) bool { return slices.Contains(o.prices, price) })
}

// Ask returns the price for transactions of those limits and base fees: the market's, at least
// the floor, and more than the attempt before by the growth; never one at which a cap would be
// passed. It is ErrFeeMarket if the caps allow less than what the cheaper slots of now took.
// Without costs there is no cap.
func (b Bid) Ask(recent Recent, costs []Cost) (uint64, error) {
	most, ok := b.most(costs)
	if !ok {
		return 0, fmt.Errorf("%w: the base fee alone is %d lamports", walletfi.ErrFeeMarket, base(costs))
	}
	low := Percentile(newest(recent.Written, newestSlots), 25)
	if low > most {
		what := "the cheaper slots take %d micro-lamports per compute unit"
		if b.Tips {
			what = "tips are %d lamports"
		}
		return 0, fmt.Errorf("%w: "+what+", and it allows %d", walletfi.ErrFeeMarket, low, most)
	}
	price := max(b.Market(recent), b.ahead(recent, costs), b.Policy.Floor)
	if b.Last > 0 {
		price = max(price, plus(b.Last, portion.Up(b.Last, uint64(b.Policy.Growth), 100)))
	}
	return min(price, most), nil
}

// left says what the key may still pay.
func (b Bid) left() uint64 {
	if b.Policy.MaxPerKey == 0 {
		return math.MaxUint64
	}
	most := uint64(b.Policy.MaxPerKey)
	return most - min(most, b.Paid)
}

// most is the highest price at which no cap is passed. It is not ok if there is none.
func (b Bid) most(costs []Cost) (price uint64, ok bool) {
	price = math.MaxUint64
	units, rounded, left, each := uint64(0), base(costs), b.left(), uint64(b.Policy.MaxPerTransaction)
	for i, c := range costs {
		if c.Base > each {
			return 0, false
		}
		price = min(price, portion.Down(each-c.Base, microPerLamport, max(c.Units, 1)))
		units += c.Units
		if i > 0 && !b.Tips {
			rounded++ // each priority fee is rounded up to a lamport
		}
	}
	if rounded > left {
		return 0, base(costs) <= left
	}
	return min(price, portion.Down(left-rounded, microPerLamport, max(units, 1))), true
}

func base(costs []Cost) (sum uint64) {
	for _, c := range costs {
		sum = plus(sum, c.Base)
	}
	return sum
}

// Check refuses what costs more than the policy allows.
func (b Bid) Check(costs []Cost) error {
	over := func(field string, most, cost uint64) error {
		return &walletfi.MismatchError{
			Field: field, Asked: fmt.Sprintf("at most %d lamports for landing", most),
			Answered: fmt.Sprintf("%d lamports", cost),
		}
	}
	for i, c := range costs {
		if cost, each := c.Lamports(), uint64(b.Policy.MaxPerTransaction); cost > each {
			return over(fmt.Sprintf("transactions[%d].fee", i), each, cost)
		}
	}
	if sum, left := Lamports(costs), b.left(); sum > left {
		return over("transactions.fee", left, sum)
	}
	return nil
}
