package signing

import "github.com/walletfi/walletfi-go/signing/internal/judge"

// Option says what is known beside the transaction and its intent.
type Option func(*circumstances)

// circumstances is what the options of a check add up to.
type circumstances judge.Circumstances

// Nonce is a durable nonce in a blockhash's place. A transaction with one
// never expires, so that a signature over it stays good until the nonce is
// used: it is refused unless the caller names it.
type Nonce struct {
	Account PublicKey // its authority is the owner
	Value   PublicKey // as the caller fetched it
}

// WithBlockhash holds the transaction's blockhash against the one that the
// service named, base58.
func WithBlockhash(blockhash string) Option {
	return func(c *circumstances) { c.Blockhash = blockhash }
}

// WithLastValidBlockHeight says when the service says that the transaction
// ends.
func WithLastValidBlockHeight(height uint64) Option {
	return func(c *circumstances) { c.LastValidBlockHeight = height }
}

// AtBlockHeight gives the ledger's block height: a transaction that has ended
// is refused, and one that says it ends later than any can.
func AtBlockHeight(height uint64) Option { return func(c *circumstances) { c.BlockHeight = height } }

// WithNonce opts in to a durable nonce.
func WithNonce(n Nonce) Option {
	return func(c *circumstances) {
		c.Nonce = &judge.Nonce{Account: judge.Key(n.Account), Value: judge.Key(n.Value)}
	}
}
