// Package amm is the client of service F, an engine that routes swaps through
// automated market makers.
//
// It quotes a swap, turns a quote into the unsigned transactions that carry it
// out, and reports priority fees, pools, tokens and prices.
//
//	quote, err := client.QuoteBaseIn(ctx, amm.QuoteRequest{...})
//	swap, err := client.BuildSwap(ratelimit.WithFollowUp(ctx), amm.SwapRequest{Quote: quote, Wallet: owner})
//	unsigned := swap.Unsigned() // to be checked, signed and sent in order
//
// A quote carries what it was asked for: its kind and its transaction version
// decide how it is built, so neither can be mixed up. It goes back to the
// service exactly as it came. Nothing caches it; Quote.Age says how old it is.
//
// # Two hosts
//
// Config.TradeURL is where quotes and transactions come from, Config.DataURL
// everything else. Neither asks for a credential.
//
// # Units
//
// Amounts are walletfi.Amount in the mint's smallest unit, price impacts and
// prices walletfi.Decimal. Slippage is in basis points (50 is 0.5 %), priority
// fees in microlamports a compute unit.
//
// # Limits
//
// The service names no number; it asks for one to two seconds between
// requests. Config.Pause sets that pause (DefaultPause where it says nothing),
// counted over both hosts. A call under ratelimit.WithFollowUp goes without
// it, and the pause after it is as much longer: give BuildSwap such a context
// where the quote must not grow old. Config.Options.Limiter replaces the pacer,
// also for both hosts.
//
// # Errors
//
// An answer that says success:false is an *Error, whatever its HTTP status. Its
// four documented reasons are ErrNoRoute, ErrSlippageExceeded, ErrInvalidMint
// and ErrSimulationFailed; any other keeps its text.
//
// # Retries
//
// All ten routes read or build and none moves money, so each call is repeated
// where no connection was made, after a timeout or a broken answer, after a
// 5xx, and after a 429 once the limit has reset; see walletfi.RetryPolicy. A
// documented reason is final: it is not repeated, whatever the status.
package amm
