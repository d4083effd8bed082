// Package providerswap is the client of service G, which quotes and builds
// swaps over ten DEX providers.
//
// # Two versions
//
// Version 2 is the current one: GetQuote finds the best way for a pair and
// BuildSwap brings the transaction with it. Version 1 asks one provider by name
// (GetQuoteV1, BuildSwapV1), compares them (ListQuotesV1), sends bundles
// (SendBundle) and moves a fee (BuildFeeTransfer); it is still needed for
// these, for a pool of the caller's choice, for bundle tips, gasless swaps and
// a priority fee. Each version has request types of its own, because a
// parameter of one is misread by the other. Config.BaseURL may end in a
// version's path or not.
//
// # Units
//
// Amounts are walletfi.Amount in the mint's smallest unit, slippage is in basis
// points (100 is 1 %) in both versions, a priority fee in microlamports a
// compute unit. Transactions are base64.
//
// # Undocumented answers
//
// What version 1 answers to quotes, bundles and fees has no documented shape.
// Those types keep the answer in Raw, and beside it what was found under the
// usual names; a field that was not found is nil or empty. A transaction is
// found wherever it stands, by its structure.
//
// # Authentication, limits and errors
//
// Every request carries the X-API-KEY header. Neither limits nor an error body
// are documented: an error is a *walletfi.ResponseError by HTTP status, whether
// the body is {"error":"text"} or a gateway's page of HTML, and a 429 is
// obeyed. An answer with a 2xx status that says error or success:false in place
// of a result is walletfi.ErrRejected.
//
// # Retries
//
// Quotes and builders move nothing and are repeated where no connection was
// made, after a timeout or a broken answer, after a 5xx, and after a 429 once
// it has reset. SendBundle, a GET that sends money, repeats the same signed
// bytes on the same occasions, which the ledger executes once; where no attempt
// brings a clear answer, or a 2xx says error, the error is
// walletfi.ErrOutcomeUnknown with the signature.
package providerswap
