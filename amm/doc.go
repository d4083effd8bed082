// Package amm is the client of an engine that routes swaps through
// automated market makers. It quotes a swap, builds the unsigned transactions
// of a quote, and reports priority fees, pools, tokens and prices.
//
//	client, err := amm.New(amm.Config{TradeURL: "https://trade.example.com", DataURL: "https://data.example.com"})
//	quote, err := client.QuoteBaseIn(ctx, amm.QuoteRequest{
//		InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50),
//	})
//	swap, err := client.BuildSwap(ratelimit.WithFollowUp(ctx), amm.BuildRequest{Quote: quote, Owner: owner})
//	unsigned := swap.Unsigned() // check, sign and send them in order: see package wallet
//
// A [Quote] remembers its request. Its kind (exact input or exact output) and
// its transaction version decide how [Client.BuildSwap] builds it, so they
// cannot be mixed up. The quote goes back to the service byte for byte. No
// quote is cached; [Quote.Age] returns how old it is.
//
// # Two hosts
//
// Quotes and transactions come from Config.TradeURL, everything else from
// Config.DataURL. Neither host asks for a credential.
//
// # Units
//
// Amounts are [walletfi.Amount] in the mint's smallest unit. Price impacts and
// prices are [walletfi.Decimal]. Slippage is in basis points (50 is 0.5 %).
// Priority fees are in microlamports per compute unit.
//
// # Limits
//
// The service states no limit; it asks for one to two seconds between
// requests. Config.Pause sets that pause, by default [DefaultPause], and both
// hosts share it. A call under [ratelimit.WithFollowUp] skips the pause, and
// the pause after it is longer by as much: use it for BuildSwap, so that the
// quote does not grow old. Config.Options.Limiter replaces the pacer for both
// hosts.
//
// # Errors
//
// If the body says success:false, the call fails with an [Error], whatever the
// HTTP status. Data without success:true is [walletfi.ErrRejected]. The four
// documented reasons are [ErrNoRoute], [ErrSlippageExceeded], [ErrInvalidMint]
// and [ErrSimulationFailed]. The text of any other reason is in Error.Message.
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Retries
//
// All ten routes read or build, and none moves money. A call is repeated if no
// connection was made, after a timeout or a broken answer, after a 5xx, and
// after a 429 once the limit has reset; see [walletfi.RetryPolicy]. A call that
// fails with a documented reason is not repeated, whatever the status.
package amm
