package webhooks

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
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
	To       string   `json:"to"` // empty where a contract is created
	Value    Quantity `json:"value"`
	Gas      Quantity `json:"gas"`
	GasPrice Quantity `json:"gasPrice"`
	Input    string   `json:"input"` // hex
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

// BigInt returns the value, and false where the text is no number.
func (q Quantity) BigInt() (*big.Int, bool) {
	text, base := string(q), 10
	if hex, ok := cutHex(text); ok {
		text, base = hex, 16
	}
	if text == "" || text[0] == '+' || text[0] == '-' || strings.Contains(text, "_") {
		return nil, false
	}
	return new(big.Int).SetString(text, base)
}

// UnmarshalJSON reads a string or a bare number.
func (q *Quantity) UnmarshalJSON(b []byte) error {
	switch text := string(bytes.Trim(b, `"`)); {
	case string(b) == "null":
		return nil
	case strings.ContainsAny(text, `\"{}[]`) || text == "true" || text == "false":
		return fmt.Errorf("webhooks: %.40q is no quantity", text)
	default:
		*q = Quantity(text)
		return nil
	}
}

// Number is an integer that may arrive bare, quoted or as hex with 0x.
type Number uint64

// UnmarshalJSON reads any of the three.
func (n *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	text, base := string(bytes.Trim(b, `"`)), 10
	if hex, ok := cutHex(text); ok && b[0] == '"' {
		text, base = hex, 16
	}
	v, err := strconv.ParseUint(text, base, 64)
	if err != nil {
		return fmt.Errorf("webhooks: %.40q is no integer", text)
	}
	*n = Number(v)
	return nil
}

func cutHex(text string) (string, bool) {
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		return hex, true
	}
	return strings.CutPrefix(text, "0X")
}
