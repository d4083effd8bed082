package main

import (
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
)

// sold is the input of each of the three swaps: 5 USDC.
const sold walletfi.Amount = 5_000_000

// swapQuoted builds a swap from a quote, which goes back byte for byte.
func swapQuoted(ctx context.Context, t *tour) error {
	c, err := swap.New(swap.Config{
		BaseURL: t.sandbox.URL(sandbox.Swap),
		APIKey:  walletfi.NewSecret(t.sandbox.APIKey(sandbox.Swap)),
	})
	if err != nil {
		return err
	}
	quote, err := c.GetQuote(ctx, swap.QuoteRequest{
		InputMint: t.usdc, OutputMint: walletfi.NativeMint, Amount: sold, Slippage: walletfi.SlippageBps(100),
	})
	if err != nil {
		return err
	}
	t.say("quote      5 USDC for %s SOL, impact %s %%", quote.OutAmount.UI(9), quote.PriceImpactPct)
	request := swap.BuildRequest{Owner: t.me, Quote: quote, PrioritizationFee: swap.PriorityLamports(5000)}
	built, err := c.BuildSwap(ctx, request)
	if err != nil {
		return err
	}
	return t.swapped(ctx, built.Unsigned(), quote.MinOutAmount)
}

// swapAMM quotes and builds on the AMM. The build follows the quote without a
// pause.
func swapAMM(ctx context.Context, t *tour) error {
	c, err := amm.New(amm.Config{TradeURL: t.sandbox.URL(sandbox.AMM), DataURL: t.sandbox.AMM().DataURL()})
	if err != nil {
		return err
	}
	quote, err := c.QuoteBaseIn(ctx, amm.QuoteRequest{
		InputMint: t.usdc, OutputMint: walletfi.NativeMint, Amount: sold,
		Slippage: walletfi.SlippageBps(100), TxVersion: amm.TxVersionV0,
	})
	if err != nil {
		return err
	}
	t.say("quote      5 USDC for %s SOL over %d pools", quote.OutAmount.UI(9), len(quote.RoutePlan))
	built, err := c.BuildSwap(ratelimit.WithFollowUp(ctx), amm.BuildRequest{Quote: quote, Owner: t.me})
	if err != nil {
		return err
	}
	return t.swapped(ctx, built.Unsigned(), quote.OtherAmountThreshold)
}

// swapProviders builds the best provider's quote with its transaction.
func swapProviders(ctx context.Context, t *tour) error {
	c, err := providerswap.New(providerswap.Config{
		BaseURL: t.sandbox.URL(sandbox.ProviderSwap), APIKey: walletfi.NewSecret(t.sandbox.APIKey(sandbox.ProviderSwap)),
	})
	if err != nil {
		return err
	}
	built, err := c.BuildSwap(ctx, providerswap.BuildRequest{QuoteRequest: providerswap.QuoteRequest{
		InputMint: t.usdc, OutputMint: walletfi.NativeMint, Amount: sold,
		Slippage: walletfi.SlippageBps(providerswap.MajorSlippageMax),
	}, Owner: t.me})
	if err != nil {
		return err
	}
	t.say("quote      5 USDC for %s SOL over %d steps", built.OutAmount.UI(9), len(built.RoutePlan))
	return t.swapped(ctx, built.Unsigned(), built.MinOutAmount)
}

// swapped executes a swap of USDC for SOL and checks the balances.
func (t *tour) swapped(ctx context.Context, u walletfi.Unsigned, least walletfi.Amount) error {
	ledger := t.sandbox.Ledger()
	usdc, lamports := ledger.TokenBalance(t.me, t.usdc), t.sol()
	if _, err := t.execute(ctx, u); err != nil {
		return err
	}
	gave, got := walletfi.Amount(usdc-ledger.TokenBalance(t.me, t.usdc)), int64(t.sol())-int64(lamports)
	t.say("swapped    %s USDC, SOL %+d lamports after fees", gave.UI(6), got)
	const fees = 5_000_000 // most that network fees and the rent of an account can cost
	return errors.Join(
		check(gave == sold, "exactly 5 USDC left"),
		check(got >= int64(least)-fees, "at least %d lamports should arrive", least),
	)
}

// sol returns the wallet's SOL, wrapped and unwrapped.
func (t *tour) sol() uint64 {
	ledger := t.sandbox.Ledger()
	return ledger.Balance(t.me) + ledger.TokenBalance(t.me, walletfi.NativeMint)
}
