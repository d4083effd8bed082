package providerswap

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

var (
	errNoTransaction   = errors.New("no transaction in the answer")
	errTwoTransactions = errors.New("more than one transaction in the answer")
)

// transactionIn returns the only transaction among the strings in a JSON value.
func transactionIn(b []byte) (walletfi.Base64Transaction, error) {
	var value any
	if err := cmp.Or(wire.Once(b), json.Unmarshal(b, &value)); err != nil {
		return "", err
	}
	var found walletfi.Base64Transaction
	several := false
	eachText(value, func(text string) {
		if !isTransaction(text) {
			return
		}
		several = several || found != "" && found != walletfi.Base64Transaction(text)
		found = walletfi.Base64Transaction(text)
	})
	switch {
	case several:
		return "", errTwoTransactions
	case found == "":
		return "", errNoTransaction
	}
	return found, nil
}

func eachText(value any, visit func(string)) {
	switch v := value.(type) {
	case string:
		visit(v)
	case []any:
		for _, item := range v {
			eachText(item, visit)
		}
	case map[string]any:
		for _, item := range v {
			eachText(item, visit)
		}
	}
}

// Sizes in a serialised transaction, in bytes.
const (
	signatureSize  = 64
	addressSize    = 32
	blockhashSize  = 32
	headerSize     = 3
	maxTransaction = 4096
	versionBit     = 0x80 // of a message's first byte: the other bits are the version
	v1Prefix       = 0x81 // of a whole v1 transaction
	// What a v1 transaction has before its addresses: prefix, header, config mask,
	// blockhash, two counts.
	v1Fixed = 1 + headerSize + 4 + blockhashSize + 2
)

// isTransaction reports whether text is base64 with the structure of a
// transaction: as many signatures as its header requires, and room for their
// addresses. It tells transactions from other strings; package signing checks
// the rest.
func isTransaction(text string) bool {
	if len(text) > base64.StdEncoding.EncodedLen(maxTransaction) {
		return false
	}
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(b) < v1Fixed+addressSize {
		return false
	}
	count := int(b[0])
	if b[0] == v1Prefix {
		count = int(b[1])
		return count > 0 && len(b) >= v1Fixed+count*(addressSize+signatureSize)
	}
	message := 1 + count*signatureSize
	if count == 0 || count >= versionBit || len(b) < message+1+headerSize+1+count*addressSize+blockhashSize {
		return false
	}
	required := b[message]
	if required >= versionBit {
		required = b[message+1]
	}
	return int(required) == count
}
