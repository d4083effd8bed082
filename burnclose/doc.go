// Package burnclose is the client of a service that builds transactions that
// burn assets and close token accounts, and relays signed transactions.
//
//	client, err := burnclose.New(burnclose.Config{BaseURL: "https://burn.example.com", APIKey: key})
//	burn, err := client.BuildBurn(ctx, burnclose.BurnRequest{Owner: owner, AssetID: mint})
//	unsigned := burn.Unsigned() // check, sign and send it: see package wallet
//
// A burn or a close comes in three forms: a transaction ([Client.BuildBurn],
// [Client.BuildClose]), a preview of its fees and of what it reclaims
// ([Client.PreviewBurn]), and instructions for a transaction of the caller's
// own ([Client.BuildBurnInstructions]). [Client.SummarizeCloseAll] counts the
// accounts of a wallet that can be closed, and [Client.CloseAll] closes them
// all.
//
// The relay sends signed transactions of any origin ([Client.SendTransaction],
// [Client.SendBatch]) and reports what became of them
// ([Client.GetTransactionStatus], [Client.WaitConfirmed]). A [Client] is a
// [walletfi.Submitter] and a [walletfi.Confirmer].
//
// An answer without a member that its type's wire tags ask for is walletfi.ErrDecode, which
// names both: see docs/errors.md, "What an answer must have".
//
// # Units
//
// Amounts are [walletfi.Amount]: lamports, or an asset's atomic units. A
// priority fee is in microlamports per compute unit. A partner's fee is in
// basis points of what is reclaimed (100 is 1 %).
//
// Most response field names are undocumented. The typed fields are looked up
// under likely names and are empty if none of them is present. The whole answer
// is in Raw.
//
// # Authentication and limits
//
// Burns, closes and the relay take a key, in the x-api-key header or as a
// bearer token: see Config.AuthHeader. Health, key generation and the service's
// documents need no key, and none is sent, so a Client without a key can
// generate one. No rate limit is documented; the limits that an answer states
// are obeyed.
//
// # Retries
//
// Builds, previews, statuses and documents move nothing. They are repeated if
// no connection was made, after a timeout or a broken answer, after a 5xx, and
// after a 429 once the limit has reset; see [walletfi.RetryPolicy].
//
// SendTransaction, SendBatch and Submit are repeated in the same cases, always
// with the same bytes, which the ledger executes once. If an attempt may have
// gone through and no answer settles it, the error is
// [walletfi.ErrOutcomeUnknown] with the signature to ask for: see
// [Client.WaitConfirmed].
//
// Each call of GenerateAPIKey makes a key. It is repeated only if it certainly
// was not sent.
package burnclose
