// Package walletfi holds what the clients of all eleven services share: the
// options of a client and of a call, the errors that every service's errors
// unwrap to, exact amounts, encoded transactions, rate limits, and the small
// interfaces through which money moves.
//
// It knows nothing of any one service. The services are packages beside it
// (lending, smartaccount, leverage, predictmeta, swap, amm, providerswap,
// burnclose, onchaindata, socialsearch, webhooks); signing turns what they
// build into a signature, and wallet does the whole job in one call.
//
// # Errors
//
// Every error that a call returns answers to errors.Is with one of the
// sentinels of this package (ErrRateLimited, ErrOutcomeUnknown, ...) or with
// context.Canceled and context.DeadlineExceeded, and to errors.As with
// *ResponseError where a service answered, or *ValidationError where the
// request was refused before anything was sent.
//
// # Money
//
// An Amount counts a token's smallest unit and is never a float. A Decimal
// keeps the digits that the service sent. What a builder returns is an
// Unsigned, whose Intent says what the request asked for; signing holds the
// transaction's bytes against it.
package walletfi
