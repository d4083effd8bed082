// Package payments takes what a user asks for from a service's bytes to the
// ledger: it prepares, waits for an approval, executes, and goes on after a
// restart.
package payments

import (
	"context"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
)

// Kind is a kind of payment.
type Kind string

// The kinds.
const (
	Swap     Kind = "swap"
	Deposit  Kind = "deposit"
	Withdraw Kind = "withdraw"
	Burn     Kind = "burn"      // a whole balance, and close its account
	CloseAll Kind = "close all" // the token accounts that are empty
	Open     Kind = "open"      // a leveraged position
	Close    Kind = "close"     // of that position
)

// Request describes a payment. Which fields count depends on Kind.
type Request struct {
	Kind   Kind            `json:"kind"`
	Mint   string          `json:"mint,omitempty"`   // given, deposited, withdrawn or burned
	Amount walletfi.Amount `json:"amount,omitempty"` // smallest units of Mint
	// Of a swap: the service, the mint to get, the tolerance in basis points, and the
	// least output that the user was shown.
	Service     string          `json:"service,omitempty"`
	To          string          `json:"to,omitempty"`
	SlippageBps int             `json:"slippageBps,omitempty"`
	Least       walletfi.Amount `json:"least,omitempty"`
	// Of a deposit or withdrawal.
	DepositType lending.DepositType `json:"depositType,omitempty"`
	// Of a leveraged position: the offer to open one, and how many times the
	// collateral it is worth; the position to close.
	Offer    string           `json:"offer,omitempty"`
	Leverage walletfi.Decimal `json:"leverage,omitzero"`
	Position string           `json:"position,omitempty"`
	// Grant is the ID of the grant that the signer's approvers were asked for; empty asks for none.
	Grant string `json:"grant,omitempty"`
}

// title describes the request for people.
func (r Request) title(t *services.Tokens) string {
	switch r.Kind {
	case Swap:
		to, _ := t.Find(r.To)
		return fmt.Sprintf("Swap %s for %s", t.Text(r.Mint, r.Amount), to.Symbol)
	case Deposit:
		return fmt.Sprintf("Deposit %s (%s)", t.Text(r.Mint, r.Amount), r.DepositType)
	case Withdraw:
		return fmt.Sprintf("Withdraw %s (%s)", t.Text(r.Mint, r.Amount), r.DepositType)
	case Burn:
		token, _ := t.Find(r.Mint)
		return fmt.Sprintf("Burn all %s and close its account", token.Symbol)
	case Open:
		return fmt.Sprintf("Open a position with %s and leverage %s", t.Text(r.Mint, r.Amount), r.Leverage)
	case Close:
		return "Close the position " + services.Short(r.Position)
	default:
		return "Close empty token accounts"
	}
}

// build asks a service for the request's transactions.
func (r Request) build(ctx context.Context, c *services.Clients, owner string) (walletfi.Unsigned, error) {
	var built interface{ Unsigned() walletfi.Unsigned }
	var err error
	switch r.Kind {
	case Swap:
		return r.buildSwap(ctx, c, owner)
	case Deposit:
		built, err = c.Lending.BuildDeposit(ctx, lending.DepositRequest{
			Owner:       owner,
			Mint:        r.Mint,
			DepositType: r.DepositType,
			Amount:      r.Amount,
		})
	case Withdraw:
		built, err = c.Lending.BuildWithdraw(ctx, lending.WithdrawRequest{
			Owner:        owner,
			Mint:         r.Mint,
			WithdrawType: r.DepositType,
			Amount:       r.Amount,
		})
	case Burn:
		built, err = c.BurnClose.BuildBurn(ctx, burnclose.BurnRequest{
			Owner:                  owner,
			AssetID:                r.Mint,
			AutoCloseTokenAccounts: new(true),
		})
	case CloseAll:
		built, err = c.BurnClose.BuildCloseAll(ctx, burnclose.CloseAllRequest{Owner: owner})
	case Open:
		built, err = c.Leverage.BuildOpen(ctx, leverage.OpenRequest{
			CollateralMint: r.Mint,
			QuoteRequest: leverage.QuoteRequest{
				Offer: r.Offer, Owner: owner, CollateralAmount: r.Amount, Leverage: r.Leverage,
				Slippage: walletfi.SlippageBps(r.SlippageBps),
			},
		})
	case Close:
		// A close must not wait for reads.
		built, err = c.Leverage.BuildClose(ctx, leverage.CloseRequest{CloseQuoteRequest: leverage.CloseQuoteRequest{
			Position: r.Position, Owner: owner, Slippage: walletfi.SlippageBps(r.SlippageBps),
		}}, walletfi.Urgent())
	default:
		return walletfi.Unsigned{}, &walletfi.ValidationError{Field: "kind", Problem: fmt.Sprintf("%q is unknown", r.Kind)}
	}
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	return built.Unsigned(), nil
}

// buildSwap quotes once more. A quote that promises less than the user was shown
// builds nothing.
func (r Request) buildSwap(ctx context.Context, c *services.Clients, owner string) (walletfi.Unsigned, error) {
	quote, err := c.Quote(ctx, r.Service, services.Trade{
		Owner: owner, From: r.Mint, To: r.To, Amount: r.Amount, SlippageBps: r.SlippageBps,
	})
	if err != nil {
		return walletfi.Unsigned{}, err
	}
	if quote.Least < r.Least {
		return walletfi.Unsigned{}, &PriceMovedError{
			Shown: c.Tokens.Text(r.To, r.Least),
			Now:   c.Tokens.Text(r.To, quote.Least),
		}
	}
	return quote.Build(ctx)
}

// PriceMovedError means that a swap would pay less than the user was shown.
type PriceMovedError struct {
	Shown, Now string
}

// Error says how the price moved.
func (e *PriceMovedError) Error() string {
	return fmt.Sprintf("the price moved: at least %s was shown, now it is %s", e.Shown, e.Now)
}
