package node

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// What agave calls a transaction and a message where it cannot read them.
const (
	versioned = "solana_transaction::versioned::VersionedTransaction"
	message   = "solana_message::versions::VersionedMessage"
)

// The longest texts of a transaction of the largest size.
const (
	maxBase58 = 5594
	maxBase64 = 5464
)

// decoded reads a text as the bytes of a transaction or a message.
func decoded(text, encoding, thing string) []byte {
	most, read := maxBase64, base64.StdEncoding.DecodeString
	problem := base64Problem
	switch encoding {
	case "base64":
	case "base58":
		most, read, problem = maxBase58, base58.Decode, base58Problem
	default:
		panic(fail(params, "unsupported encoding: %s. Supported encodings: base58, base64", encoding))
	}
	failIf(len(text) > most, params, "%s encoded %s too large: %d bytes (max: encoded/raw %d/%d)",
		encoding, thing, len(text), most, ledger.MaxSizeV1)
	raw, err := read(text)
	failIf(err != nil, params, "invalid %s encoding: %s", encoding, problem(text))
	return raw
}

// base64Problem says what is wrong with a text that is not base64.
func base64Problem(text string) string {
	digits := strings.TrimRight(text, "=")
	for i := range len(digits) {
		if c := digits[i]; c != '+' && c != '/' && !alphanumeric(c) {
			return fmt.Sprintf("InvalidByte(%d, %d)", i, c)
		}
	}
	if len(digits)%4 == 1 {
		return fmt.Sprintf("InvalidLength(%d)", len(digits))
	}
	return "InvalidPadding"
}

// base58Problem says what is wrong with a text that is not base58.
func base58Problem(text string) string {
	for i, c := range text {
		switch {
		case c >= 0x80:
			return fmt.Sprintf("NonAsciiCharacter { index: %d }", i)
		case strings.ContainsRune("0OIl", c) || !alphanumeric(byte(c)):
			return fmt.Sprintf("InvalidCharacter { character: '%c', index: %d }", c, i)
		}
	}
	return "BufferTooSmall"
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// unlike says why a text is not so many bytes in base58.
func unlike(text string, size int) string {
	if _, err := base58.Decode(text); err != nil && text != "" && len(text) <= size*11/8 {
		return "Invalid"
	}
	return "WrongSize"
}

// transactionOf reads the bytes of a transaction.
func transactionOf(raw []byte) *ledger.Transaction {
	most := ledger.MaxSize
	if len(raw) > 0 && raw[0] == 0x81 {
		most = ledger.MaxSizeV1
	}
	failIf(len(raw) > most, params, "decoded %s too large: %d bytes (max: %d bytes)", versioned, len(raw), most)
	return parsed(raw, versioned, "transaction: Transaction failed to sanitize accounts offsets correctly")
}

// parsed reads a transaction, or the message in it.
func parsed(raw []byte, thing, unsound string) *ledger.Transaction {
	tx, err := ledger.Parse(raw)
	if err != nil && strings.HasSuffix(err.Error(), "ends early") {
		panic(fail(params, "failed to deserialize %s: io error: failed to fill whole buffer", thing))
	}
	failIf(err != nil, params, "invalid %s", unsound)
	return tx
}

// mistyped says in serde's words why a parameter is not what it should be.
func mistyped(raw json.RawMessage, err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return "invalid value: " + found(raw) + ", expected a valid one"
	}
	for _, name := range strings.Split(wrong.Field, ".") {
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) == nil && members[name] != nil {
			raw = members[name]
		}
	}
	numbers := []reflect.Kind{reflect.Uint, reflect.Uint8, reflect.Uint32, reflect.Uint64}
	number := slices.Contains(numbers, wrong.Type.Kind())
	if number && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9') && !bytes.ContainsAny(raw, ".eE") {
		return "invalid value: " + found(raw) + ", expected " + expected(wrong.Type)
	}
	return "invalid type: " + found(raw) + ", expected " + expected(wrong.Type)
}

// found names a value.
func found(raw json.RawMessage) string {
	switch c := raw[0]; {
	case c == '{':
		return "map"
	case c == '[':
		return "sequence"
	case c == '"':
		return "string " + string(raw)
	case c == 'n':
		return "null"
	case c == 't' || c == 'f':
		return "boolean `" + string(raw) + "`"
	case integer(raw):
		return "integer `" + string(raw) + "`"
	}
	n, _ := strconv.ParseFloat(string(raw), 64) // as Rust writes it: with all digits, and with a point
	text := strconv.FormatFloat(n, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return "floating point `" + text + "`"
}

// integer reports whether a value is an integer to serde: one beyond 64 bits is floating point.
func integer(raw json.RawMessage) bool {
	_, err := strconv.ParseInt(string(raw), 10, 64)
	_, unsigned := strconv.ParseUint(string(raw), 10, 64)
	return err == nil || unsigned == nil
}

// expected names a type.
func expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return expected(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Uint8:
		return "u8"
	case reflect.Uint64:
		return "u64"
	case reflect.Uint:
		return "usize"
	case reflect.Slice:
		return "a sequence"
	}
	return "a map"
}
