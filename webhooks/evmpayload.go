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
	Gas      Quantity `json:"gas" wire:"decides,optional"`        // units
	GasPrice Quantity `json:"gasPrice" wire:"decides,optional"`   // smallest units per unit of gas
	Input    string   `json:"input" wire:"strict,optional,hex=0"` // hex, "0x" if the transaction has none
	Nonce    *Number  `json:"nonce" wire:"decides,optional"`      // nil if the payload does not say
	Logs     []EVMLog `json:"logs" wire:"said"`
	// Status is that of the receipt, if the payload has one, which is not documented: "0x0" if
	// anything in the payload says that the transaction failed or was undone.
	Status walletfi.Document `json:"status,omitzero"`

	// Raw is the record as it came, if a part of it could not be read; else nil.
	Raw walletfi.Document `json:"-"`
}

func init() { wire.Reader(readEVMTransaction) }

// Failed reports whether the payload says that the transaction failed or was undone. The
// documentation has no member that says so: one that says nothing may have failed.
func (t EVMTransaction) Failed() bool { return len(t.Status) > 0 && saysFailed("status", t.Status) }

// failedStatus is that of a receipt.
const failedStatus = `"0x0"`

// readEVMTransaction reads a transaction, and keeps one that failed, or of which an event is odd.
func readEVMTransaction(s *wire.Scanner, t *EVMTransaction) error {
	from, strange := s.Offset(), s.Strange()
	if err := wire.Fields(s, t); err != nil {
		return err
	}
	isOdd := t.hasOddLogs(s)
	if (strange != s.Strange() || t.Status != nil) && failedIn(s.Kept(from)) != nil {
		isOdd, t.Status = true, walletfi.Document(failedStatus)
		wire.Breaks[EVMTransaction](s, "status", aFailure)
	}
	if isOdd {
		t.Raw = s.Kept(from)
	}
	return nil
}

// hasOddLogs holds that each event comes once, that it has no more topics than it can have, and
// that it was not undone.
func (t *EVMTransaction) hasOddLogs(s *wire.Scanner) (isOdd bool) {
	says := func(is bool, member string, what wire.Fault) {
		if isOdd = isOdd || is; is {
			wire.Breaks[EVMLog](s, member, what)
		}
	}
	seen := make(map[Number]bool, len(t.Logs))
	for _, l := range t.Logs {
		says(seen[l.LogIndex], "logIndex", wire.Repeated)
		says(len(l.Topics) > mostTopics, "topics", wire.OfNoLength)
		says(l.Removed != nil && *l.Removed, "removed", undone)
		seen[l.LogIndex] = true
	}
	return isOdd
}

// mostTopics is how many topics the instructions of an EVM give an event at most.
const mostTopics = 4

// EVMLog is an event that a contract emitted.
type EVMLog struct {
	Address  string   `json:"address" wire:"said,hex=20,opaque"`
	Topics   []string `json:"topics" wire:"said,hex=32"`     // hex, 32 bytes each
	Data     string   `json:"data" wire:"strict,said,hex=0"` // hex, empty or "0x" if the event has none
	LogIndex Number   `json:"logIndex" wire:"said"`
	// Removed is true if a reorganisation of the chain undid the event. It is not documented, and
	// nil if the payload does not say.
	Removed *bool `json:"removed,omitempty" wire:"decides,optional"`
}

// Quantity is an amount as the chain writes it, decimal or hex with 0x. It is text
// because it can be larger than any integer type.
type Quantity string

// The bits of the largest amount of an EVM chain, and the digits with which each number has fewer.
const (
	mostBits  = 256
	fewDigits = mostBits / 4
	maxDigits = 400 // of a text that is read as a number, zeros included
)

// Valid reports whether the text is a natural number of at most 256 bits.
func (q Quantity) Valid() bool {
	text, _, digits := q.parts()
	if len(text) > fewDigits {
		_, ok := q.BigInt()
		return ok
	}
	return text != "" && strings.Trim(text, digits) == ""
}

// BigInt returns the value, and false if the text is not [Quantity.Valid].
func (q Quantity) BigInt() (*big.Int, bool) {
	text, base, digits := q.parts()
	if text == "" || len(text) > maxDigits || strings.Trim(text, digits) != "" {
		return nil, false
	}
	n, _ := new(big.Int).SetString(text, base)
	if n.BitLen() > mostBits {
		return nil, false
	}
	return n, true
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
