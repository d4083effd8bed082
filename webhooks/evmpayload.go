package webhooks

import (
	"math/big"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// EVMPayload is a delivery of an EVM chain: the transactions of one block that
// the webhook watches for.
type EVMPayload struct {
	WebhookID    string           `json:"webhookId"`
	Network      string           `json:"network"`
	Timestamp    walletfi.Time    `json:"timestamp"`
	BlockNumber  Number           `json:"blockNumber"`
	BlockHash    string           `json:"blockHash"`
	Transactions []EVMTransaction `json:"transactions"`
}

// EVMTransaction is one transaction of an EVM chain.
type EVMTransaction struct {
	Hash     string   `json:"hash"`
	From     string   `json:"from"`
	To       string   `json:"to"`       // empty where a contract is created
	Value    Quantity `json:"value"`    // in the chain's smallest unit
	Gas      Quantity `json:"gas"`      // units
	GasPrice Quantity `json:"gasPrice"` // smallest units for each of gas
	Input    string   `json:"input"`    // hex
	Nonce    Number   `json:"nonce"`
	Logs     []EVMLog `json:"logs"`
}

// EVMLog is one event that a contract emitted.
type EVMLog struct {
	Address  string   `json:"address"`
	Topics   []string `json:"topics"` // hex, 32 bytes each
	Data     string   `json:"data"`   // hex
	LogIndex Number   `json:"logIndex"`
}

// Quantity is an amount as the chain writes it, decimal or hex with 0x. It is
// kept as text, since it can be larger than any integer type.
type Quantity string

// maxDigits is more than a number of 256 bits has in any base.
const maxDigits = 400

// BigInt returns the value, and false where the text is no natural number or
// one beyond any chain's.
func (q Quantity) BigInt() (*big.Int, bool) {
	text, base := string(q), 10
	if hex, ok := cutHex(text); ok {
		text, base = hex, 16
	}
	if text == "" || len(text) > maxDigits || strings.ContainsAny(text, "+-_") {
		return nil, false
	}
	return new(big.Int).SetString(text, base)
}

// UnmarshalJSON reads a string or a bare number, and keeps its text whatever it
// says.
func (q *Quantity) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b, "quantity")
	if err == nil && text != nil {
		*q = Quantity(*text)
	}
	return err
}

// Number is an integer that may arrive bare, quoted or as hex with 0x.
type Number uint64

// UnmarshalJSON reads any of the three. A null and an empty text leave the
// number as it is.
func (n *Number) UnmarshalJSON(b []byte) error {
	text, err := scalarText(b, "integer")
	if err != nil || text == nil || *text == "" {
		return err
	}
	v, err := parseNumber(*text)
	if err == nil {
		*n = v
	}
	return err
}
