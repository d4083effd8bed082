package node

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// The most filters, and the most bytes that one compares, as such and as text.
const (
	maxFilters   = 4
	maxCompared  = 128
	maxBase58Len = 175
	maxBase64Len = 172
)

// filter is one of those that an account must pass. verify reads its text.
type filter struct {
	text   json.RawMessage
	passes func(a *ledger.Account) bool
}

func (f *filter) UnmarshalJSON(text []byte) error {
	f.text = bytes.Clone(text)
	return nil
}

func (f filter) MarshalJSON() ([]byte, error) { return f.text, nil }

// verify reads filters, and refuses those that no node takes.
func verify(filters []filter) {
	failIf(len(filters) > maxFilters, params, "Too many filters provided; max %d", maxFilters)
	for i := range filters {
		filters[i].passes = passing(filters[i].text)
	}
}

// matches reports whether an account passes all filters.
func matches(a *ledger.Account, filters []filter) bool {
	return !slices.ContainsFunc(filters, func(f filter) bool { return !f.passes(a) })
}

func passing(text json.RawMessage) func(a *ledger.Account) bool {
	if string(text) == `"tokenAccountState"` {
		return func(a *ledger.Account) bool {
			_, ok := ledger.AsToken(a)
			return ok
		}
	}
	var f struct {
		Size    *uint64 `json:"dataSize"`
		Compare *struct {
			Offset   uint            `json:"offset"`
			Bytes    json.RawMessage `json:"bytes"`
			Encoding string          `json:"encoding"`
		} `json:"memcmp"`
	}
	tagged(text, "dataSize", "memcmp", "tokenAccountState")
	err := json.Unmarshal(text, &f)
	badIf(err != nil, "%s", mistyped(text, err))
	badIf((f.Size == nil) == (f.Compare == nil), "invalid type: null, expected struct Memcmp")
	if f.Size != nil {
		return func(a *ledger.Account) bool { return uint64(len(a.Data)) == *f.Size }
	}
	want := compared(f.Compare.Bytes, f.Compare.Encoding)
	return func(a *ledger.Account) bool {
		from := f.Compare.Offset
		return from <= uint(len(a.Data)) && bytes.HasPrefix(a.Data[from:], want)
	}
}

// compared reads the bytes of a filter, a list of numbers or a text.
func compared(bytes json.RawMessage, encoding string) (want []byte) {
	var numbers []uint16
	var text string
	switch {
	case json.Unmarshal(bytes, &numbers) == nil && numbers != nil:
		for _, n := range numbers {
			badIf(n > 255, "invalid value: integer `%d`, expected u8", n)
			want = append(want, byte(n))
		}
	case json.Unmarshal(bytes, &text) != nil:
		panic(bad("data did not match any variant of untagged enum DataType"))
	case text == "": // every account has it
	case encoding == "base64":
		want = comparedText(text, maxBase64Len, base64.StdEncoding.DecodeString, "Base64DecodeError", base64Problem)
	case encoding == "" || encoding == "base58" || encoding == "binary":
		want = comparedText(text, maxBase58Len, base58.Decode, "Base58DecodeError", base58Problem)
	default:
		panic(bad("unknown variant `%s`, expected one of `base58`, `base64`, `bytes`", encoding))
	}
	failIf(len(want) > maxCompared, params, "Invalid param: DataTooLarge")
	return want
}

// comparedText decodes the bytes of a filter.
func comparedText(
	text string, most int, decode func(text string) ([]byte, error), name string, problem func(text string) string,
) []byte {
	failIf(len(text) > most, params, "Invalid param: DataTooLarge")
	raw, err := decode(text)
	failIf(err != nil, params, "Invalid param: %s(%s)", name, problem(text))
	return raw
}
