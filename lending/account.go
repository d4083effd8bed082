package lending

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Account says what a wallet has deposited and earned.
type Account struct {
	TotalDeposited      walletfi.Amount  `json:"totalDeposited" wire:"present"`
	TotalInterestEarned walletfi.Amount  `json:"totalInterestEarned" wire:"present"`
	CurrentAPY          walletfi.Decimal `json:"currentApy" wire:"said,min=-100"` // percent
	Positions           []Position       `json:"positions" wire:"records"`
	Rewards             []Reward         `json:"rewards" wire:"records"`

	// Raw is the answer as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Position is a deposit of a wallet.
type Position struct {
	Mint           string           `json:"mint" wire:"strict,said,key,opaque,identity"`
	Symbol         string           `json:"symbol"`
	DepositType    DepositType      `json:"depositType" wire:"strict,said,identity"`
	Balance        walletfi.Amount  `json:"balance" wire:"present"`
	InterestEarned walletfi.Amount  `json:"interestEarned" wire:"present"`
	APY            walletfi.Decimal `json:"apy" wire:"said,min=-100"` // percent
	Protocol       string           `json:"protocol" wire:"identity"` // the lending protocol that holds it

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// Reward is an amount that a wallet can claim, now or later.
type Reward struct {
	Mint      string          `json:"mint" wire:"strict,said,key,opaque"`
	Symbol    string          `json:"symbol"`
	Amount    walletfi.Amount `json:"amount" wire:"present"`
	Claimable bool            `json:"claimable" wire:"said"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

// GetAccount returns a wallet's deposits and rewards.
//
// GET /v1/account/{walletAddress}.
func (c *Client) GetAccount(ctx context.Context, wallet string, opts ...walletfi.CallOption) (*Account, error) {
	return transport.Do[Account](ctx, c.made().t, transport.Call{
		Op: "GetAccount", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Says(
			"totalDeposited:number", "positions:items", "rewards:items",
		),
		Path: transport.Path("/v1/account/{walletAddress}", wallet),
	}, opts)
}

// PendingWithdrawal is a boosted withdrawal during its cooldown.
type PendingWithdrawal struct {
	Mint         string          `json:"mint" wire:"said,key,opaque,identity"`
	Amount       walletfi.Amount `json:"amount" wire:"present,identity"`
	WithdrawType DepositType     `json:"withdrawType" wire:"said,identity"`
	InitiatedAt  walletfi.Time   `json:"initiatedAt" wire:"free,identity"`
	AvailableAt  walletfi.Time   `json:"availableAt" wire:"said"`
	// CooldownRemaining is in an undocumented unit: use
	// [PendingWithdrawal.Remaining].
	CooldownRemaining int64 `json:"cooldownRemaining" wire:"said,min=0"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() { wire.Reader(readPendingWithdrawal) }

// readPendingWithdrawal holds that a withdrawal is not available before it began.
func readPendingWithdrawal(s *wire.Scanner, p *PendingWithdrawal) error {
	err := wire.Fields(s, p)
	if err == nil && !p.AvailableAt.IsZero() && p.AvailableAt.Before(p.InitiatedAt.Time) {
		wire.Breaks[PendingWithdrawal](s, "availableAt", wire.OutOfRange)
	}
	return err
}

// Remaining returns the time from now until AvailableAt, when the withdrawal can
// be taken; 0 after that. If the service did not say when, it is the longest time that there is.
func (p PendingWithdrawal) Remaining(now time.Time) time.Duration {
	if p.AvailableAt.IsZero() {
		return math.MaxInt64
	}
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
	return transport.Do[PendingWithdrawalPage](ctx, c.made().t, transport.Call{
		Op: "ListPendingWithdrawals", Effect: transport.Read, Method: http.MethodGet,
		Answer: transport.Items("pendingWithdrawals"),
		Path:   transport.Path("/v1/account/{walletAddress}/pending-withdrawals", wallet),
	}, opts)
}
