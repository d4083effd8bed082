package play

import (
	"encoding/json"
	"time"
)

// Account has all that the ledger holds under an address.
type Account struct {
	Lamports uint64
	Owner    string // the program that may change it, base58
	Data     []byte
}

// TokenAccount is a token account, decoded.
type TokenAccount struct {
	Mint           string
	Owner          string // the wallet
	Amount         uint64 // smallest units
	Delegate       string // empty if there is none
	Delegated      uint64
	CloseAuthority string // empty if there is none
	Native         bool   // wrapped SOL
	Frozen         bool
}

// TransactionStatus is the outcome of a transaction.
type TransactionStatus struct {
	Found      bool
	Commitment string // "processed", "confirmed" or "finalized"
	Slot       uint64
	Fee        uint64 // lamports
	Err        string // empty if it succeeded
}

// Token is a token of the sandbox's ledger.
type Token struct {
	Mint     string // base58
	Symbol   string
	Name     string
	Decimals uint8
	Program  string // the token program that it belongs to, base58
}

// FeedMessage is a message that the WebSocket wrote to one connection.
type FeedMessage struct {
	// Connection counts the connections from 1, in the order in which they
	// were made.
	Connection int
	// Sequence counts the connection's messages from 1. A client has always
	// received a prefix of them.
	Sequence int64
	// Time is when the write began, by the real clock, which clients share.
	Time time.Time
	// Text is the message as it was written.
	Text string
}

// FeedSubscription is a subscription of a WebSocket connection.
type FeedSubscription struct {
	Connection int    // as in FeedMessage
	Channel    string // "market", "orderbook" or "trades"
	Ticker     string
}

// LiveMarket is a prediction market that trades.
type LiveMarket struct {
	Ticker string    `json:"ticker"`
	Event  string    `json:"event"`   // ticker of its event
	Yes    string    `json:"yesMint"` // base58
	No     string    `json:"noMint"`  // base58
	Closes time.Time `json:"closes"`  // by the sandbox's clock
}

// SocialPost is a post to add to the corpus.
type SocialPost struct {
	Author      string    // username; a new name creates a user
	Text        string    // links, mentions, #tags and $tickers are read from it
	Lang        string    // "en" if empty
	CreatedAt   time.Time // now if zero
	InReplyTo   string    // id of a post; empty if it is not a reply
	Repost      bool
	Media       bool
	LikeCount   int
	RepostCount int
}

// SocialUsage counts the reads that the service bills.
type SocialUsage struct {
	PostsRead   int // one for each time that a post was returned
	UserLookups int // by name; users that come with posts are free
}

// Cost is in thousandths of the currency unit: 5 a post, 10 a user.
func (u SocialUsage) Cost() int { return 5*u.PostsRead + 10*u.UserLookups }

// Passkey is a new credential of the virtual authenticator: the three fields
// that register a passkey.
type Passkey struct {
	CredentialID string
	PublicKey    string          // base64 of its SubjectPublicKeyInfo
	Attestation  json.RawMessage // a WebAuthn attestation in JSON, of format none
}

// EVMTransaction is a transaction of a made-up EVM chain, with the field names
// of the delivery's payload. Empty fields get defaults.
type EVMTransaction struct {
	Hash     string   `json:"hash"` // 32 bytes, hex
	From     string   `json:"from"`
	To       string   `json:"to"`
	Value    string   `json:"value"`    // wei; "0" if empty
	Gas      string   `json:"gas"`      // "21000" if empty
	GasPrice string   `json:"gasPrice"` // wei; "1000000000" if empty
	Input    string   `json:"input"`    // hex; "0x" if empty
	Nonce    uint64   `json:"nonce"`
	Logs     []EVMLog `json:"logs"`
}

// EVMLog is an event that a contract emitted.
type EVMLog struct {
	// Event is the signature, such as "Transfer(address,address,uint256)". Its
	// hash goes before Topics. Empty if Topics are complete.
	Event    string   `json:"-"`
	Address  string   `json:"address"`
	Topics   []string `json:"topics"`
	Data     string   `json:"data"` // hex; "0x" if empty
	LogIndex int      `json:"logIndex"`
}

// UTXOTransaction is a transaction of a made-up chain of unspent outputs.
type UTXOTransaction struct {
	TxID    string       `json:"txid"` // filled in if empty
	Inputs  []UTXOAmount `json:"vin"`
	Outputs []UTXOAmount `json:"vout"`
}

// UTXOAmount is an input or an output.
type UTXOAmount struct {
	Address string `json:"address"`
	Value   uint64 `json:"value"` // smallest units
}
