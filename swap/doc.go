// Package swap is the client of a service that quotes trades of spot and
// prediction-market tokens and builds their transactions.
//
//	client, err := swap.New(swap.Config{BaseURL: "https://swap.example.com", APIKey: key})
//	quote, err := client.GetQuote(ctx, swap.QuoteRequest{InputMint: sol, OutputMint: usdc, Amount: 1_000_000_000})
//	built, err := client.BuildSwap(ctx, swap.BuildRequest{Owner: owner, Quote: quote})
//	unsigned := built.Unsigned() // check, sign and send it: see package wallet
//
// There are three ways to trade:
//
//   - A quote ([Client.GetQuote]) is built with [Client.BuildSwap] or
//     [Client.BuildSwapInstructions].
//   - An order is quoted and built in one call ([Client.QuoteOrder],
//     [Client.BuildOrder]). [Client.WaitOrder] follows it by its signature.
//   - An intent ([Client.BuildIntent]) is signed and handed back
//     ([Client.SubmitIntent]). The service fills it later.
//
// The service has no route that submits an order or a swap. A
// [walletfi.Submitter] sends the signed transaction.
//
// # Units
//
// Amounts are [walletfi.Amount] in the mint's smallest unit. Slippage and fees
// are in basis points (100 is 1 %). PriceImpactPct is a [walletfi.Decimal] as
// the service writes it; the documentation does not say whether it is a
// percentage or a fraction. Transactions are base64.
//
// # Echoed answers
//
// BuildSwap returns the whole [Quote] to the service, and SubmitIntent the
// whole [BuiltIntent], byte for byte, including fields that this package does
// not know. Changing a typed field of either does not change what is sent.
//
// # Authentication and limits
//
// The x-api-key header is optional. Without a key the service allows about 10
// requests a minute, and the client keeps to that. The limit of a key is not
// documented: set Config.Budgets. Without budgets a client with a key slows
// down only when the service answers with 429. Budgets live in the process and
// are forgotten when it restarts.
//
// # Errors
//
// The body of an error is not documented. An error is a
// [walletfi.ResponseError] classified by HTTP status. A 503 means that the
// service is starting: see [Starting].
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Retries
//
// Reads and builders move nothing. They are repeated if no connection was
// made, after a timeout or a broken answer, after a 5xx, and after a 429 once
// the limit has reset. SubmitIntent is repeated if no connection was made and
// after a 429. If an answer was lost, SubmitIntent first asks for the order's
// status by the transaction's signature, and sends the same bytes again only
// if the service does not know the order. If the status cannot be read either,
// the error is [walletfi.ErrOutcomeUnknown].
package swap
