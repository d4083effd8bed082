// Package swap is the client of service E, which quotes trades of spot and
// prediction-market tokens and builds their transactions.
//
// There are three ways to a trade. An order is quoted and built in one call
// (QuoteOrder, BuildOrder) and its status is asked by signature (WaitOrder). A
// quote (GetQuote) goes back into BuildSwap or BuildSwapInstructions. An intent
// (BuildIntent) is signed and handed to the service (SubmitIntent), which
// fills it later. The order and the swap have no submit of their own: the
// caller's walletfi.Submitter sends what was signed.
//
// # Units
//
// Amounts are walletfi.Amount in the mint's smallest unit. Slippage and fees
// are basis points (100 is 1 %). PriceImpactPct is a walletfi.Decimal as the
// service writes it; whether it is percent or a fraction is not documented.
// Transactions are base64.
//
// # Echoed answers
//
// BuildSwap sends the whole quote back and SubmitIntent the whole intent, byte
// for byte as they came, fields that this package does not know included.
// Changing a typed field of either changes nothing of what is sent.
//
// # Authentication and limits
//
// The x-api-key header is optional. Without a key the service allows about 10
// requests a minute, which is the budget then; with one it does not say how
// many, so Config.Budgets sets them and none means no budget but what a 429
// asks. Budgets live in the process and are forgotten when it restarts.
//
// # Errors
//
// The body of an error is not documented: an error is a
// *walletfi.ResponseError by HTTP status. 503 means that the service is
// starting (see Starting).
//
// # Retries
//
// Reads and builders move nothing and are repeated where no connection was
// made, after a timeout or a broken answer, after a 5xx, and after a 429 once
// the limit has reset. SubmitIntent is repeated where no connection was made
// and after a 429; where an answer was lost, it asks for the order's status by
// the transaction's signature first, and sends the same bytes again only if
// the service does not know it. If that cannot be asked the error is
// walletfi.ErrOutcomeUnknown.
package swap
