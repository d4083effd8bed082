// Package leverage is the client of service C, a market of leveraged
// positions: offers of liquidity for a token pair and a side, positions that
// borrow from them, previews, and bundles that land together.
//
// # Units
//
// Amounts are walletfi.Amount in the mint's smallest unit; on the wire they are
// strings. Slippage, split and repayment ratios are basis points (10,000 is
// all). What the service computes about a position (profit, loan to value,
// liquidation price) is walletfi.Decimal: it arrives as a number or as a
// string, exact either way. Every transaction is base58.
//
// # Authentication
//
// Config.APIKey goes into the x-api-key header of every request where there is
// one, since it is not documented whether the other routes want it. Builders,
// positions, trade history and two of the previews require it: without a key
// they are refused before anything is sent, and the rest works.
//
// # Limits and errors
//
// Neither a rate limit nor an error body is documented: an error is a
// *walletfi.ResponseError by HTTP status, and a 429 is obeyed. An answer that
// says success false is walletfi.ErrRejected whatever its status, and of a
// relay walletfi.ErrOutcomeUnknown.
//
// # Retries
//
// Reads, previews and builders move nothing and are repeated where no
// connection was made, after a timeout or a broken answer, after a 5xx, and
// after a 429 once it has reset. SendTransaction and SendBundle repeat the same
// signed bytes, which the ledger executes once; if no attempt brings a clear
// answer the error is walletfi.ErrOutcomeUnknown.
package leverage
