package sandbox

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"time"
)

// lendingWallet is what the service knows of a wallet.
type lendingWallet struct {
	address   string
	positions []*lendingPosition
	pending   []*lendingPending
	events    []map[string]any // oldest first
}

// lendingPosition is one deposit type of one pool. Its interest is part of the
// balance.
type lendingPosition struct {
	pool        *lendingPool
	depositType string
	balance     uint64
	interest    uint64
	fraction    float64   // of a smallest unit, earned and not yet in the balance
	since       time.Time // up to when interest is reckoned
}

// wallet returns the books of a wallet, made where there are none.
func (l *lending) wallet(address string) *lendingWallet {
	w, ok := l.wallets[address]
	if !ok {
		w = &lendingWallet{address: address}
		l.wallets[address] = w
		l.after(lendingRebalance, func() { l.rebalance(w) })
	}
	return w
}

func (w *lendingWallet) position(p *lendingPool, depositType string) *lendingPosition {
	for _, x := range w.positions {
		if x.pool == p && x.depositType == depositType {
			return x
		}
	}
	x := &lendingPosition{pool: p, depositType: depositType}
	w.positions = append(w.positions, x)
	return x
}

func (w *lendingWallet) pendingOf(p *lendingPool) *lendingPending {
	for _, x := range w.pending {
		if x.pool == p {
			return x
		}
	}
	return nil
}

// accrue adds the interest since the last time.
func (x *lendingPosition) accrue(now time.Time) {
	if !x.since.IsZero() && now.After(x.since) {
		years := now.Sub(x.since).Hours() / (365 * 24)
		whole, fraction := math.Modf(float64(x.balance)*x.pool.apy(x.depositType)/100*years + x.fraction)
		x.balance += uint64(whole)
		x.interest += uint64(whole)
		x.fraction = fraction
	}
	x.since = now
}

type lendingAccountRequest struct {
	Wallet string `path:"walletAddress"`
}

type lendingAccountAnswer struct {
	TotalDeposited      uint64                  `json:"totalDeposited"`
	TotalInterestEarned uint64                  `json:"totalInterestEarned"`
	CurrentAPY          float64                 `json:"currentApy"`
	Positions           []lendingPositionAnswer `json:"positions"`
	Rewards             []lendingReward         `json:"rewards"`
}

type lendingPositionAnswer struct {
	Mint           string  `json:"mint"`
	Symbol         string  `json:"symbol"`
	DepositType    string  `json:"depositType"`
	Balance        uint64  `json:"balance"`
	InterestEarned uint64  `json:"interestEarned"`
	APY            float64 `json:"apy"`
	Protocol       string  `json:"protocol"`
}

type lendingReward struct {
	Mint      string `json:"mint"`
	Symbol    string `json:"symbol"`
	Amount    uint64 `json:"amount"`
	Claimable bool   `json:"claimable"`
}

// books returns the books of a wallet that a request names.
func (l *lending) books(c *call, address string) (*lendingWallet, error) {
	if _, err := c.key(address, "walletAddress"); err != nil {
		return nil, err
	}
	w, ok := l.wallets[address]
	if !ok {
		return nil, refuse(http.StatusNotFound, "", "the account has deposited nothing")
	}
	return w, nil
}

func (l *lending) account(c *call, in lendingAccountRequest) (*lendingAccountAnswer, error) {
	w, err := l.books(c, in.Wallet)
	if err != nil {
		return nil, err
	}
	dust := l.token("DUST")
	a := &lendingAccountAnswer{
		Positions: []lendingPositionAnswer{},
		Rewards:   []lendingReward{{dust.Mint, dust.Symbol, 42, true}},
	}
	var weighted float64
	for _, x := range w.positions {
		x.accrue(l.now())
		if x.balance == 0 {
			continue
		}
		apy := x.pool.apy(x.depositType)
		a.TotalDeposited += x.balance - x.interest
		a.TotalInterestEarned += x.interest
		weighted += apy * float64(x.balance)
		a.Positions = append(a.Positions, lendingPositionAnswer{
			x.pool.Mint, x.pool.Symbol, x.depositType, x.balance, x.interest, apy, x.pool.best().Name,
		})
	}
	if total := a.TotalDeposited + a.TotalInterestEarned; total > 0 {
		a.CurrentAPY = round4(weighted / float64(total))
	}
	return a, nil
}

type lendingHistoryRequest struct {
	Wallet string `path:"walletAddress"`
	Limit  *int   `query:"limit" min:"1"`
	Offset int    `query:"offset" min:"0"`
	Type   string `query:"type" oneof:"deposit withdraw rebalance"`
}

// history lists the newest first.
func (l *lending) history(c *call, in lendingHistoryRequest) (any, error) {
	w, err := l.books(c, in.Wallet)
	if err != nil {
		return nil, err
	}
	events := []map[string]any{}
	for _, e := range slices.Backward(w.events) {
		if in.Type == "" || e["type"] == in.Type {
			events = append(events, e)
		}
	}
	limit := 50
	if in.Limit != nil {
		limit = *in.Limit
	}
	from := min(in.Offset, len(events))
	return map[string]any{"events": events[from:min(from+limit, len(events))], "total": len(events)}, nil
}

type lendingPendingAnswer struct {
	Mint              string `json:"mint"`
	Amount            uint64 `json:"amount"`
	WithdrawType      string `json:"withdrawType"`
	InitiatedAt       int64  `json:"initiatedAt"`
	AvailableAt       int64  `json:"availableAt"`
	CooldownRemaining int64  `json:"cooldownRemaining"`
}

// pendingWithdrawals writes the rest of a cooldown in seconds or in
// milliseconds, in turn: its unit is not documented.
func (l *lending) pendingWithdrawals(c *call, in lendingAccountRequest) (any, error) {
	w, err := l.books(c, in.Wallet)
	if err != nil {
		return nil, err
	}
	unit := []time.Duration{time.Second, time.Millisecond}[c.shape(2)]
	pending := []lendingPendingAnswer{}
	for _, x := range w.pending {
		rest := max(0, x.available.Sub(l.now()))
		pending = append(pending, lendingPendingAnswer{
			x.pool.Mint, x.amount, "boosted", x.initiated.Unix(), x.available.Unix(), int64(rest / unit),
		})
	}
	slices.SortStableFunc(pending, func(a, b lendingPendingAnswer) int { return cmp.Compare(a.AvailableAt, b.AvailableAt) })
	return map[string]any{"pendingWithdrawals": pending}, nil
}
