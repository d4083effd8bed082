package lending

import (
	"cmp"
	"math"
	"net/http"
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
		l.After(rebalance, func() { l.rebalance(w) })
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
	for _, x := range w.pending {
		if x.pool == p {
			return x
		}
	}
	return nil
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

type accountAnswer struct {
	TotalDeposited      uint64           `json:"totalDeposited"`
	TotalInterestEarned uint64           `json:"totalInterestEarned"`
	CurrentAPY          float64          `json:"currentApy"`
	Positions           []positionAnswer `json:"positions"`
	Rewards             []reward         `json:"rewards"`
}

type positionAnswer struct {
	Mint           string  `json:"mint"`
	Symbol         string  `json:"symbol"`
	DepositType    string  `json:"depositType"`
	Balance        uint64  `json:"balance"`
	InterestEarned uint64  `json:"interestEarned"`
	APY            float64 `json:"apy"`
	Protocol       string  `json:"protocol"`
}

type reward struct {
	Mint      string `json:"mint"`
	Symbol    string `json:"symbol"`
	Amount    uint64 `json:"amount"`
	Claimable bool   `json:"claimable"`
}

// books returns the books of a wallet that a request names.
func (l *Service) books(c *kit.Call, address string) *wallet {
	c.Key(address, "walletAddress")
	w, ok := l.wallets[address]
	kit.RefuseIf(!ok, http.StatusNotFound, "", "the account has deposited nothing")
	return w
}

func (l *Service) account(c *kit.Call, in accountRequest) *accountAnswer {
	w := l.books(c, in.Wallet)
	dust := l.Token("DUST")
	a := &accountAnswer{
		Positions: []positionAnswer{},
		Rewards:   []reward{{dust.Mint, dust.Symbol, 42, true}},
	}
	var weighted float64
	for _, x := range w.positions {
		x.accrue(l.Now())
		if x.balance == 0 {
			continue
		}
		apy := x.pool.apy(x.depositType)
		a.TotalDeposited += x.balance - x.interest
		a.TotalInterestEarned += x.interest
		weighted += apy * float64(x.balance)
		a.Positions = append(a.Positions, positionAnswer{
			x.pool.Mint, x.pool.Symbol, x.depositType, x.balance, x.interest, apy, x.pool.best().Name,
		})
	}
	if total := a.TotalDeposited + a.TotalInterestEarned; total > 0 {
		a.CurrentAPY = round4(weighted / float64(total))
	}
	return a
}

type pendingAnswer struct {
	Mint              string `json:"mint"`
	Amount            uint64 `json:"amount"`
	WithdrawType      string `json:"withdrawType"`
	InitiatedAt       int64  `json:"initiatedAt"`
	AvailableAt       int64  `json:"availableAt"`
	CooldownRemaining int64  `json:"cooldownRemaining"`
}

// pendingWithdrawals writes the rest of a cooldown in seconds or in
// milliseconds, in turn: its unit is not documented.
func (l *Service) pendingWithdrawals(c *kit.Call, in accountRequest) any {
	w := l.books(c, in.Wallet)
	unit := []time.Duration{time.Second, time.Millisecond}[c.Shape(2)]
	pending := []pendingAnswer{}
	for _, x := range w.pending {
		rest := max(0, x.available.Sub(l.Now()))
		pending = append(pending, pendingAnswer{
			x.pool.Mint, x.amount, "boosted", x.initiated.Unix(), x.available.Unix(), int64(rest / unit),
		})
	}
	slices.SortStableFunc(pending, func(a, b pendingAnswer) int { return cmp.Compare(a.AvailableAt, b.AvailableAt) })
	return map[string]any{"pendingWithdrawals": pending}
}
