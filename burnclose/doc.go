// Package burnclose is the client of service H, which builds transactions that
// burn assets and close token accounts, and relays signed ones.
//
// A burn or a close comes in three forms: a transaction, a preview of its fees
// and of what it reclaims, and bare instructions for a transaction of the
// caller's own. Closing every account that can be closed has a summary too, and
// CloseAll goes through all of them. The relay sends signed transactions of any
// origin, one or many, and tells what became of them: a Client is a
// walletfi.Submitter and a walletfi.Confirmer.
//
// # Units
//
// Amounts are walletfi.Amount: lamports, or an asset's atomic units. A priority
// fee is in microlamports a compute unit, a partner's fee in basis points of
// what is reclaimed (100 are 1 %).
//
// What the answers call most of their fields is not documented. The fields
// here are looked for under the likely names, are empty where none is there,
// and the whole answer is in Raw.
//
// # Authentication and limits
//
// Burns, closes and the relay take a key, in the x-api-key header or as a
// bearer token, whichever Config.AuthHeader says; never both. Health, key
// generation and the service's documents take none and send none, so that a
// Client without a key can generate one. No rate limit is documented; what the
// service says of one in its answers is obeyed.
//
// # Retries
//
// Builds, previews, status and documents move nothing and are repeated where
// no connection was made, after a timeout or a broken answer, after a 5xx, and
// after a 429 once the limit has reset; see walletfi.RetryPolicy.
//
// SendTransaction, SendBatch and Submit are repeated in the same cases, always
// with the same bytes, which the ledger executes once. Where any attempt may
// have gone through and no answer settles it, the error is
// walletfi.ErrOutcomeUnknown with the signature to ask for: see WaitConfirmed.
//
// GenerateAPIKey makes a key each time it is carried out. It is repeated only
// where it certainly was not sent.
package burnclose
