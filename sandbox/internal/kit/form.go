package kit

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"
)

// How numbers are written: plain digits, in a query with at most one fraction.
// No sign, exponent, underscore or leading zero, and nothing that is no number.
var (
	plainInteger = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)
	plainNumber  = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.[0-9]+)?$`)
)

// IsInteger reports whether text is an integer as the services write and take
// them: plain digits, without a leading zero.
func IsInteger(text string) bool { return plainInteger.MatchString(text) }

// LongestPayload bounds the text of a transaction, the length of the largest one in
// base58. Longer text is not decoded.
const LongestPayload = 5_594

// forms are what the text of a parameter can be, by the name in its tag. Each
// returns what is wrong with a text, or nothing.
var forms = map[string]func(text string) string{
	"key":       isKey,
	"keys":      each(isKey),
	"words":     each(func(string) string { return "" }),
	"signature": isSignature,
	"base58":    encoded("base58", base58.Decode),
	"base64":    encoded("base64", base64.StdEncoding.DecodeString),
	"digits":    isDigits,
	"email":     isEmail,
	"url":       isURL,
	"object":    isObject,
}

func isKey(text string) string {
	if len(text) > 44 {
		return "is no address"
	}
	if _, err := solana.PublicKeyFromBase58(text); err != nil {
		return "is no address"
	}
	return ""
}

func isSignature(text string) string {
	if len(text) <= 88 {
		if _, err := solana.SignatureFromBase58(text); err == nil {
			return ""
		}
	}
	return "is not the base58 of 64 bytes"
}

func encoded(name string, decode func(string) ([]byte, error)) func(string) string {
	return func(text string) string {
		if name == "base58" && len(text) > LongestPayload {
			return "is too long"
		}
		if raw, err := decode(text); err != nil || len(raw) == 0 {
			return "is not " + name
		}
		return ""
	}
}

func isDigits(text string) string {
	if !IsInteger(text) {
		return "is not an integer in digits"
	}
	return ""
}

func isEmail(text string) string {
	if address, err := mail.ParseAddress(text); err != nil || address.Address != text {
		return "is no email address"
	}
	return ""
}

func isURL(text string) string {
	if u, err := url.Parse(text); err != nil || u.Hostname() == "" {
		return "is no URL"
	}
	return ""
}

func isObject(text string) string {
	if _, _, err := Members(json.RawMessage(text)); err != nil {
		return "is not an object"
	}
	return ""
}

// each is the form of a list, separated by commas. An item is not empty and has
// no space around it.
func each(item func(string) string) func(string) string {
	return func(text string) string {
		for part := range strings.SplitSeq(text, ",") {
			if part == "" || strings.TrimSpace(part) != part {
				return "is a list with an empty item or a space about one"
			}
			if problem := item(part); problem != "" {
				return "lists " + part + ", which " + problem
			}
		}
		return ""
	}
}

var (
	textReader = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonReader = reflect.TypeFor[json.Unmarshaler]()
	rawMessage = reflect.TypeFor[json.RawMessage]()
)
