package lending

import (
	"math"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// wallet is the service's record of a wallet.
type wallet struct {
	address   string
	positions []*position
	pending   []*withdrawal
	events    []map[string]any // oldest first
}

// position is one deposit type of one pool. Its interest is part of the
// balance.
type position struct {
	pool        *pool
	depositType string
	balance     uint64
	interest    uint64
	fraction    float64   // of a smallest unit, earned and not yet in the balance
	since       time.Time // interest is computed up to here
}

// wallet returns the record of a wallet, creating it if it is missing.
func (l *Service) wallet(address string) *wallet {
	w, ok := l.wallets[address]
	if !ok {
		w = &wallet{address: address}
		l.wallets[address] = w
		l.After(rebalance, rebalancing{l, w})
	}
	return w
}

func (w *wallet) position(p *pool, depositType string) *position {
	for _, x := range w.positions {
		if x.pool == p && x.depositType == depositType {
			return x
		}
	}
	x := &position{pool: p, depositType: depositType}
	w.positions = append(w.positions, x)
	return x
}

func (w *wallet) pendingOf(p *pool) *withdrawal {
	return kit.Find(w.pending, func(x *withdrawal) bool { return x.pool == p })
}

// accrue adds the interest since the last time.
func (x *position) accrue(now time.Time) {
	if !x.since.IsZero() && now.After(x.since) {
		years := now.Sub(x.since).Hours() / (365 * 24)
		whole, fraction := math.Modf(float64(x.balance)*x.pool.apy(x.depositType)/100*years + x.fraction)
		x.balance += uint64(whole)
		x.interest += uint64(whole)
		x.fraction = fraction
	}
	x.since = now
}

type accountRequest struct {
	Wallet string `path:"walletAddress" form:"key"`
}

// books returns the books of a wallet that a request names.
func (l *Service) books(address string) *wallet {
	return kit.Found(l.wallets[address], "the account has deposited nothing")
}

func (l *Service) account(c *kit.Call, in accountRequest) any {
	w := l.books(in.Wallet)
	dust := l.Token("DUST")
	positions := []any{}
	var deposited, earned uint64
	var weighted, current float64
	for _, x := range w.positions {
		x.accrue(l.Now())
		if x.balance == 0 {
			continue
		}
		apy := x.pool.apy(x.depositType)
		deposited += x.balance - x.interest
		earned += x.interest
		weighted += apy * float64(x.balance)
		positions = append(positions, map[string]any{
			"mint": x.pool.Mint, "symbol": x.pool.Symbol, "depositType": x.depositType, "balance": x.balance,
			"interestEarned": x.interest, "apy": apy, "protocol": x.pool.best().Name,
		})
	}
	if deposited+earned > 0 {
		current = round4(weighted / float64(deposited+earned))
	}
	return map[string]any{
		"totalDeposited": deposited, "totalInterestEarned": earned, "currentApy": current, "positions": positions,
		"rewards": []any{map[string]any{"mint": dust.Mint, "symbol": dust.Symbol, "amount": 42, "claimable": true}},
	}
}

// pendingWithdrawals writes the rest of a cooldown in seconds or in
// milliseconds, in turn: its unit is not documented.
func (l *Service) pendingWithdrawals(c *kit.Call, in accountRequest) any {
	pending := slices.Clone(l.books(in.Wallet).pending)
	slices.SortStableFunc(pending, func(a, b *withdrawal) int { return a.available.Compare(b.available) })
	unit := []time.Duration{time.Second, time.Millisecond}[c.Shape(2)]
	return map[string]any{"pendingWithdrawals": kit.List(pending, func(x *withdrawal) any {
		return map[string]any{
			"mint": x.pool.Mint, "amount": x.amount, "withdrawType": "boosted", "initiatedAt": x.initiated.Unix(),
			"availableAt": x.available.Unix(), "cooldownRemaining": int64(max(0, x.available.Sub(l.Now())) / unit),
		}
	})}
}
