// Package leverage is the client of a market of leveraged
// positions. An offer is a pool of liquidity for one token pair and one side;
// positions borrow from it.
//
//	client, err := leverage.New(leverage.Config{BaseURL: "https://leverage.example.com", APIKey: key})
//	offers, err := client.ListOffers(ctx, leverage.OffersRequest{Search: "SOL", Side: leverage.SideLong})
//	opened, err := client.BuildOpen(ctx, leverage.OpenRequest{QuoteRequest: leverage.QuoteRequest{
//		Offer: offers.Items[0].Address, Owner: owner, CollateralAmount: 1_000_000,
//		Leverage: twice, Slippage: walletfi.SlippageBps(50),
//	}})
//	unsigned := opened.Unsigned() // check, sign and send it: see package wallet
//
// Builders return a [Transaction], and [Client.BuildPartialSell] two of them.
// Quotes preview what a builder would do. [Client.SendTransaction] and
// [Client.SendBundle] send signed transactions; a [Client] is a
// [walletfi.Submitter] and a [walletfi.BundleSubmitter].
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Units
//
// Amounts are [walletfi.Amount] in the mint's smallest unit; on the wire they
// are strings. Slippage, split ratio and repayment ratio are in basis points
// (10,000 is everything). What the service computes about a position (profit,
// loan to value, liquidation price) is [walletfi.Decimal], exact whether it
// arrives as a number or as a string. Every transaction is base58.
//
// # Authentication
//
// Config.APIKey goes into the x-api-key header of every request, because the
// documentation does not say whether the public routes want it. Builders,
// positions, trade history and two of the previews require a key: without one
// they fail before anything is sent. The other calls work without a key.
//
// # Limits and errors
//
// Neither a rate limit nor an error body is documented. An error is a
// [walletfi.ResponseError] classified by HTTP status, and the wait that a 429
// asks for is obeyed. If the body says success:false, the call fails with
// [walletfi.ErrRejected]; SendTransaction and SendBundle fail with
// [walletfi.ErrOutcomeUnknown].
//
// # Retries
//
// Reads, previews and builders move nothing. They are repeated if no
// connection was made, after a timeout or a broken answer, after a 5xx, and
// after a 429 once it has reset. SendTransaction and SendBundle repeat the same
// signed bytes, which the ledger executes once; if no attempt has a clear
// answer, the error is [walletfi.ErrOutcomeUnknown].
package leverage
