package lending

import (
	"context"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
)

// Account says what a wallet has deposited and earned.
type Account struct {
	TotalDeposited      walletfi.Amount  `json:"totalDeposited" wire:"present"`
	TotalInterestEarned walletfi.Amount  `json:"totalInterestEarned" wire:"present"`
	CurrentAPY          walletfi.Decimal `json:"currentApy" wire:"decides"` // percent
	Positions           []Position       `json:"positions" wire:"records"`
	Rewards             []Reward         `json:"rewards" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Position is a deposit of a wallet.
type Position struct {
	Mint           string           `json:"mint" wire:"strict"`
	Symbol         string           `json:"symbol"`
	DepositType    DepositType      `json:"depositType" wire:"strict"`
	Balance        walletfi.Amount  `json:"balance" wire:"present"`
	InterestEarned walletfi.Amount  `json:"interestEarned" wire:"present"`
	APY            walletfi.Decimal `json:"apy" wire:"decides"` // percent
	Protocol       string           `json:"protocol"`           // the lending protocol that holds it

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Reward is an amount that a wallet can claim, now or later.
type Reward struct {
	Mint      string          `json:"mint" wire:"strict"`
	Symbol    string          `json:"symbol"`
	Amount    walletfi.Amount `json:"amount" wire:"present"`
	Claimable bool            `json:"claimable" wire:"decides"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// GetAccount returns a wallet's deposits and rewards.
//
// GET /v1/account/{walletAddress}.
func (c *Client) GetAccount(ctx context.Context, wallet string, opts ...walletfi.CallOption) (*Account, error) {
	return transport.Do[Account](ctx, c.t, transport.Call{
		Op: "GetAccount", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says("totalDeposited:number", "positions:list"),
		Path:   transport.Path("/v1/account/{walletAddress}", wallet),
	}, opts)
}

// PendingWithdrawal is a boosted withdrawal during its cooldown.
type PendingWithdrawal struct {
	Mint         string          `json:"mint"`
	Amount       walletfi.Amount `json:"amount" wire:"present"`
	WithdrawType DepositType     `json:"withdrawType"`
	InitiatedAt  walletfi.Time   `json:"initiatedAt" wire:"free"`
	AvailableAt  walletfi.Time   `json:"availableAt" wire:"decides"`
	// CooldownRemaining is in an undocumented unit: use
	// [PendingWithdrawal.Remaining].
	CooldownRemaining int64 `json:"cooldownRemaining" wire:"decides"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Remaining returns the time from now until AvailableAt, when the withdrawal can
// be taken; 0 after that.
func (p PendingWithdrawal) Remaining(now time.Time) time.Duration {
	return max(0, p.AvailableAt.Sub(now))
}

// PendingWithdrawalPage has all of a wallet's withdrawals during their cooldown.
type PendingWithdrawalPage struct {
	Items []PendingWithdrawal `json:"pendingWithdrawals" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// ListPendingWithdrawals returns a wallet's withdrawals during their cooldown.
//
// GET /v1/account/{walletAddress}/pending-withdrawals.
func (c *Client) ListPendingWithdrawals(
	ctx context.Context, wallet string, opts ...walletfi.CallOption,
) (*PendingWithdrawalPage, error) {
	return transport.Do[PendingWithdrawalPage](ctx, c.t, transport.Call{
		Op: "ListPendingWithdrawals", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Lists("pendingWithdrawals"),
		Path:   transport.Path("/v1/account/{walletAddress}/pending-withdrawals", wallet),
	}, opts)
}
