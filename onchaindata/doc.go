// Package onchaindata is the client of service I, a market data API: prices,
// tokens, pools (top, trending, new, searched, filtered), candles, trades,
// networks and DEXes of many chains. It only reads.
//
// # Base URL, tier and key
//
// The two tiers live on different hosts and take the key in different headers.
// Config.Tier decides both at once: TierDemo speaks to Config.DemoBaseURL and
// sends x-demo-api-key, TierPro speaks to Config.ProBaseURL and sends
// x-pro-api-key, so that a key never reaches the other tier's host. Both
// addresses end in the service's prefix, /api/v3/onchain.
//
// # Records
//
// A record is flat: its attributes are the fields of Pool, Token, Trade and so
// on. What a record points to is named by its id (Pool.BaseTokenID) and, where
// the request's Include asked for it, at hand (Pool.BaseToken). Prices, volumes
// and percentages are walletfi.Decimal, exact whatever their length; one that
// was null or left out is the zero value, which Decimal.IsZero tells from 0. Raw
// holds what the service sent beyond the documented fields.
//
// The texts and decimals of a page share one copy of it, so that a program
// which keeps a single pool for long keeps the memory of its whole page. What
// is to be kept for long is better copied out: strings.Clone.
//
// # Freshness
//
// Prices, tokens and pools change every 10 seconds, trending pools every 30,
// the DEX list daily; candles and trades are live. Asking more often brings
// nothing new: see PoolRefresh, TrendingRefresh and DEXRefresh.
//
// # Limits
//
// A page has 20 records. The demo tier gives 10 pages, the pro tier all: an
// iterator that has more before it ends with a PageCapError. GetTokens asks for
// 30 tokens at a time on demo and 50 on pro. A candle request brings at most
// 1,000. How many requests a minute the service takes is not documented, so the
// client has no budget of its own unless Config.Budgets gives it one; a 429 is
// obeyed either way.
//
// # Retries
//
// All calls read, so each is repeated where no connection was made, after a
// timeout or a broken answer, after a 408 or a 5xx, and after a 429 (its code
// in the body of a 200 included) once the limit has reset; see
// walletfi.RetryPolicy.
package onchaindata
