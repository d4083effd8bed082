package signing

import "github.com/walletfi/walletfi-go/signing/internal/judge"

// Option adds what the caller knows in addition to the transaction and its
// intent.
type Option func(*circumstances)

// circumstances is the sum of a check's options.
type circumstances judge.Circumstances

// Nonce is a durable nonce in a blockhash's place. A transaction with one
// never expires, so that a signature over it stays good until the nonce is
// used: it is refused unless the caller names it.
type Nonce struct {
	Account PublicKey // its authority is the owner
	Value   PublicKey // as the caller fetched it
}

// WithBlockhash gives the blockhash that the service named, base58. The
// transaction must have the same.
func WithBlockhash(blockhash string) Option {
	return func(c *circumstances) { c.Blockhash = blockhash }
}

// WithLastValidBlockHeight gives the last block height at which, as the service
// says, the transaction can land.
func WithLastValidBlockHeight(height uint64) Option {
	return func(c *circumstances) { c.LastValidBlockHeight = height }
}

// AtBlockHeight gives the ledger's block height. A transaction that has expired
// is refused, and so is a last valid height that is too far away to be true.
func AtBlockHeight(height uint64) Option { return func(c *circumstances) { c.BlockHeight = height } }

// WithNonce opts in to a durable nonce.
func WithNonce(n Nonce) Option {
	return func(c *circumstances) {
		c.Nonce = &judge.Nonce{Account: judge.Key(n.Account), Value: judge.Key(n.Value)}
	}
}
