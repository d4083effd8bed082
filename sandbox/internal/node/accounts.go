package node

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// keyed is an account with its address.
type keyed struct {
	key     solana.PublicKey
	account *ledger.Account
}

// accounts lists those of a program, or of all if program is zero, in the order of the
// addresses.
func (c *call) accounts(config config, program solana.PublicKey, wanted func(a *ledger.Account) bool) (all []keyed) {
	c.EachAt(c.slotAt(config.Commitment), func(key solana.PublicKey, a *ledger.Account) bool {
		if (program.IsZero() || a.Owner == program) && wanted(a) {
			all = append(all, keyed{key, a})
		}
		return true
	})
	slices.SortFunc(all, func(a, b keyed) int { return bytes.Compare(a.key[:], b.key[:]) })
	return all
}

// list writes accounts with their addresses. Parsed, it leaves out what a token program has
// and its parser does not know.
func list(accounts []keyed, config config) any {
	if config.Encoding == "jsonParsed" {
		accounts = slices.DeleteFunc(accounts, func(k keyed) bool {
			return tokenProgram(k.account.Owner) && parsedAccount(k.account, config.look) == nil
		})
	}
	return kit.List(accounts, func(k keyed) any {
		return map[string]any{"pubkey": k.key, "account": accountJSON(k.account, config)}
	})
}

// The most filters, and the most bytes that one compares, as such and as text.
const (
	maxFilters   = 4
	maxCompared  = 128
	maxBase58Len = 175
	maxBase64Len = 172
)

func (c *call) getProgramAccounts() any {
	program, config := c.addressAndConfig()
	var more struct {
		Filters     []json.RawMessage `json:"filters"`
		WithContext bool              `json:"withContext"`
	}
	c.param(1, false, &more)
	filters := filtersOf(more.Filters)
	accounts := list(c.accounts(config, program, func(a *ledger.Account) bool { return passes(a, filters) }), config)
	if more.WithContext {
		return c.inContext(config.Commitment, accounts)
	}
	return accounts
}

// filter is what an account must satisfy.
type filter func(a *ledger.Account) bool

func passes(a *ledger.Account, filters []filter) bool {
	return !slices.ContainsFunc(filters, func(f filter) bool { return !f(a) })
}

func filtersOf(texts []json.RawMessage) []filter {
	failIf(len(texts) > maxFilters, params, "Too many filters provided; max %d", maxFilters)
	filters := make([]filter, len(texts))
	for i, text := range texts {
		filters[i] = filterOf(text)
	}
	return filters
}

func filterOf(text json.RawMessage) filter {
	if string(text) == `"tokenAccountState"` {
		return func(a *ledger.Account) bool {
			_, ok := ledger.AsToken(a)
			return ok
		}
	}
	var f struct {
		Size    *int `json:"dataSize"`
		Compare *struct {
			Offset   int             `json:"offset"`
			Bytes    json.RawMessage `json:"bytes"`
			Encoding string          `json:"encoding"`
		} `json:"memcmp"`
	}
	err := json.Unmarshal(text, &f)
	badIf(err != nil || (f.Size == nil) == (f.Compare == nil),
		"unknown variant, expected one of `dataSize`, `memcmp`, `tokenAccountState`")
	if f.Size != nil {
		return func(a *ledger.Account) bool { return len(a.Data) == *f.Size }
	}
	want := compared(f.Compare.Bytes, f.Compare.Encoding)
	return func(a *ledger.Account) bool {
		from := f.Compare.Offset
		return from >= 0 && from <= len(a.Data) && bytes.HasPrefix(a.Data[from:], want)
	}
}

// compared reads the bytes of a filter, a list of numbers or a text.
func compared(bytes json.RawMessage, encoding string) (want []byte) {
	var numbers []uint16
	if json.Unmarshal(bytes, &numbers) == nil && numbers != nil {
		for _, n := range numbers {
			badIf(n > 255, "invalid value: integer `%d`, expected u8", n)
			want = append(want, byte(n))
		}
		failIf(len(want) > maxCompared, params, "Invalid param: DataTooLarge")
		return want
	}
	var text string
	badIf(json.Unmarshal(bytes, &text) != nil, "data did not match any variant of untagged enum DataType")
	var err error
	switch encoding {
	case "base64":
		failIf(len(text) > maxBase64Len, params, "Invalid param: DataTooLarge")
		want, err = base64.StdEncoding.DecodeString(text)
		failIf(err != nil, params, "Invalid param: Base64DecodeError(InvalidPadding)")
	case "", "base58", "binary":
		failIf(len(text) > maxBase58Len, params, "Invalid param: DataTooLarge")
		odd := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune(base58Letters, r) })
		if odd >= 0 {
			panic(fail(params, "Invalid param: Base58DecodeError(InvalidCharacter { character: '%c', index: %d })",
				[]rune(text[odd:])[0], odd))
		}
		want, _ = base58.Decode(text)
	default:
		panic(bad("unknown variant `%s`, expected one of `base58`, `base64`, `bytes`", encoding))
	}
	failIf(len(want) > maxCompared, params, "Invalid param: DataTooLarge")
	return want
}

const base58Letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func everyAccount(*ledger.Account) bool { return true }

func balance(a *ledger.Account) uint64 { return a.Lamports }

// getSupply counts all lamports. None are out of circulation.
func (c *call) getSupply() any {
	config, total := c.configAt(0), uint64(0)
	for _, k := range c.accounts(config, solana.PublicKey{}, everyAccount) {
		total += k.account.Lamports
	}
	return c.inContext(config.Commitment, map[string]any{
		"total": total, "circulating": total, "nonCirculating": 0, "nonCirculatingAccounts": []any{},
	})
}

func (c *call) getLargestAccounts() any {
	config := c.configAt(0)
	var more struct {
		Filter string `json:"filter"`
	}
	c.param(0, false, &more)
	badIf(!slices.Contains([]string{"", "circulating", "nonCirculating"}, more.Filter),
		"unknown variant `%s`, expected `circulating` or `nonCirculating`", more.Filter)
	var accounts []keyed
	if more.Filter != "nonCirculating" {
		accounts = largest(balance, c.accounts(config, solana.PublicKey{}, everyAccount))
	}
	return c.inContext(config.Commitment, kit.List(accounts, func(k keyed) any {
		return map[string]any{"address": k.key, "lamports": k.account.Lamports}
	}))
}
