package webhooks

import (
	"math/big"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// EVMPayload is the payload of an EVM chain: those transactions of one block that
// the webhook watches.
type EVMPayload struct {
	WebhookID    string           `json:"webhookId" wire:"said"`
	Network      string           `json:"network" wire:"said"`
	Timestamp    walletfi.Time    `json:"timestamp" wire:"free"`
	BlockNumber  Number           `json:"blockNumber" wire:"said,min=1"`
	BlockHash    string           `json:"blockHash" wire:"strict,optional,hex=32,opaque"`
	Transactions []EVMTransaction `json:"transactions" wire:"records,said"`
}

// EVMTransaction is one transaction of an EVM chain.
type EVMTransaction struct {
	Hash     string   `json:"hash" wire:"said,hex=32,opaque"`
	From     string   `json:"from" wire:"said,hex=20,opaque"`
	To       string   `json:"to" wire:"optional,hex=20,opaque"`   // empty if the transaction creates a contract
	Value    Quantity `json:"value" wire:"said"`                  // in the chain's smallest unit
	Gas      Quantity `json:"gas" wire:"free"`                    // units
	GasPrice Quantity `json:"gasPrice" wire:"free"`               // smallest units per unit of gas
	Input    string   `json:"input" wire:"strict,optional,hex=0"` // hex, "0x" if the transaction has none
	Nonce    *Number  `json:"nonce" wire:"free"`                  // nil if the payload does not say
	Logs     []EVMLog `json:"logs" wire:"said"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() { wire.Reader(readEVMTransaction) }

// readEVMTransaction reads a transaction, and keeps one that has an event twice.
func readEVMTransaction(s *wire.Scanner, t *EVMTransaction) error {
	from := s.Offset()
	err := wire.Fields(s, t)
	seen := make(map[Number]bool, len(t.Logs))
	for _, l := range t.Logs {
		if err == nil && seen[l.LogIndex] {
			wire.Breaks[EVMLog](s, "logIndex", wire.Repeated)
			t.Raw = s.Kept(from)
		}
		seen[l.LogIndex] = true
	}
	return err
}

// EVMLog is an event that a contract emitted.
type EVMLog struct {
	Address  string   `json:"address" wire:"said,hex=20,opaque"`
	Topics   []string `json:"topics" wire:"said,hex=32"`     // hex, 32 bytes each
	Data     string   `json:"data" wire:"strict,said,hex=0"` // hex, empty or "0x" if the event has none
	LogIndex Number   `json:"logIndex" wire:"said"`
}

// Quantity is an amount as the chain writes it, decimal or hex with 0x. It is text
// because it can be larger than any integer type.
type Quantity string

// maxDigits is more digits than a number of 256 bits has in any base.
const maxDigits = 400

// Valid reports whether the text is a natural number with at most as many digits as any
// chain has.
func (q Quantity) Valid() bool {
	text, _, digits := q.parts()
	return text != "" && len(text) <= maxDigits && strings.Trim(text, digits) == ""
}

// BigInt returns the value, and false if the text is not [Quantity.Valid].
func (q Quantity) BigInt() (*big.Int, bool) {
	if !q.Valid() {
		return nil, false
	}
	text, base, _ := q.parts()
	return new(big.Int).SetString(text, base)
}

func (q Quantity) parts() (text string, base int, digits string) {
	if hex, ok := cutHex(string(q)); ok {
		return hex, 16, "0123456789abcdefABCDEF"
	}
	return string(q), 10, "0123456789"
}

// UnmarshalJSON reads a string or a bare number and keeps its text.
func (q *Quantity) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b, "a quantity")
	if text != nil {
		*q = Quantity(*text)
	}
	return err
}

// Number is an integer that the wire writes bare, quoted or as hex with 0x.
type Number uint64

// UnmarshalJSON reads all three forms. A null and an empty string leave the number
// as it is.
func (n *Number) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b, "an integer")
	if text == nil || *text == "" {
		return err
	}
	v, err := parseNumber(*text)
	if err == nil {
		*n = v
	}
	return err
}
