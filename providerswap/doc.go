// Package providerswap is the client of a service that quotes and builds
// swaps over ten DEX providers.
//
//	client, err := providerswap.New(providerswap.Config{BaseURL: "https://swap.example.com", APIKey: key})
//	built, err := client.BuildSwap(ctx, providerswap.BuildRequest{
//		QuoteRequest: providerswap.QuoteRequest{
//			InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000, Slippage: walletfi.SlippageBps(50),
//		},
//		Owner: owner,
//	})
//	unsigned := built.Unsigned() // check, sign and send it: see package wallet
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Two versions
//
// Version 2 is current: [Client.GetQuote] finds the best route for a pair, and
// [Client.BuildSwap] returns the quote with its transaction.
//
// Version 1 quotes one provider by name ([Client.GetQuoteV1]), compares all
// ([Client.ListQuotesV1]) and builds with one ([Client.BuildSwapV1]). It is
// still needed to choose a pool, to tip a bundle, to swap without SOL for fees,
// and to set a priority fee. [Client.SendBundle] and [Client.BuildFeeTransfer]
// exist in version 1 only.
//
// Each version has request types of its own, because the other version would
// misread its parameters. Config.BaseURL may end in the path of a version.
//
// # Units
//
// Amounts are [walletfi.Amount] in the mint's smallest unit. Slippage is in
// basis points (100 is 1 %) in both versions. A priority fee is in
// microlamports per compute unit. Transactions are base64.
//
// # Undocumented answers
//
// The shape of version 1's answers to quotes, bundles and fees is not
// documented. Their types keep the answer in Raw and fill the fields that they
// find under common names; the other fields are nil or empty. A transaction is
// recognised by its structure, wherever it is in the answer.
//
// # Authentication, limits and errors
//
// Every request carries the X-API-KEY header. Neither a limit nor an error body
// is documented. An error is a [walletfi.ResponseError] classified by HTTP
// status, whether the body is {"error":"text"} or HTML from a gateway, and the
// wait that a 429 asks for is obeyed. If a body with a 2xx status holds an
// error or success:false, the call fails with [walletfi.ErrRejected].
//
// # Retries
//
// Quotes and builders move nothing. They are repeated if no connection was
// made, after a timeout or a broken answer, after a 5xx, and after a 429 once
// it has reset. SendBundle is a GET that sends money. In the same cases it
// repeats the same signed bytes, which the ledger executes once. If no attempt
// has a clear answer, or a 2xx holds an error, SendBundle fails with
// [walletfi.ErrOutcomeUnknown] and the signature.
package providerswap
