package node

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func (c *call) getBalance() any {
	key, config := c.addressAndConfig()
	return c.inContext(config.Commitment, c.BalanceAt(key, c.slotAt(config.Commitment)))
}

func (c *call) getAccountInfo() any {
	key, config := c.addressAndConfig()
	account := accountJSON(c.AccountAt(key, c.slotAt(config.Commitment)), config)
	return c.inContext(config.Commitment, account)
}

func (c *call) getMultipleAccounts() any {
	var texts []string
	c.param(0, true, &texts)
	badIf(len(texts) > 100, "too many inputs provided; max 100")
	config := c.configAt(1)
	if config.Encoding == "" {
		config.Encoding = "base64" // the one method whose standard this is
	}
	return c.inContext(config.Commitment, kit.List(texts, func(text string) any {
		key, err := solana.PublicKeyFromBase58(text)
		badIf(err != nil, "invalid param: %q is no address", text)
		return accountJSON(c.AccountAt(key, c.slotAt(config.Commitment)), config)
	}))
}

// accountJSON writes an account as nodes do, or nil if there is no account.
// jsonParsed falls back to base64, as on a node without a parser.
func accountJSON(a *ledger.Account, config config) any {
	if a == nil {
		return nil
	}
	data := a.Data
	if s := config.DataSlice; s != nil {
		from := min(max(s.Offset, 0), len(data))
		data = data[from:min(from+max(s.Length, 0), len(data))]
	}
	var encoded any
	switch config.Encoding {
	case "base64", "base64+zstd", "jsonParsed":
		encoded = []string{base64.StdEncoding.EncodeToString(data), "base64"}
	case "", "base58", "binary":
		failIf(len(data) > 128, invalid,
			"Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.")
		encoded = base58.Encode(data)
		if config.Encoding == "base58" {
			encoded = []string{base58.Encode(data), "base58"}
		}
	default:
		panic(bad("unknown encoding %q", config.Encoding))
	}
	return map[string]any{
		"lamports": a.Lamports, "owner": a.Owner, "data": encoded, "executable": a.Executable,
		"rentEpoch": uint64(1<<64 - 1), "space": len(a.Data),
	}
}

func (c *call) getTokenAccountBalance() any {
	key, config := c.addressAndConfig()
	slot := c.slotAt(config.Commitment)
	account, ok := ledger.AsToken(c.AccountAt(key, slot))
	badIf(!ok, "could not find account")
	mint, ok := ledger.AsMint(c.AccountAt(account.Mint(), slot))
	badIf(!ok, "could not find mint")
	return c.inContext(config.Commitment, uiAmount(account.Amount(), mint.Decimals()))
}

// getTokenAccountsByOwner lists by mint or by token program, in the order of
// the addresses.
func (c *call) getTokenAccountsByOwner() any {
	owner := c.address(0)
	var filter struct {
		Mint    *solana.PublicKey `json:"mint"`
		Program *solana.PublicKey `json:"programId"`
	}
	c.param(1, true, &filter)
	badIf((filter.Mint == nil) == (filter.Program == nil), "exactly one of mint and programId is wanted")
	config := c.configAt(2)
	var keys solana.PublicKeySlice
	c.EachAt(c.slotAt(config.Commitment), func(key solana.PublicKey, a *ledger.Account) bool {
		t, ok := ledger.AsToken(a)
		if ok && t.Owner() == owner && (filter.Mint == nil || t.Mint() == *filter.Mint) &&
			(filter.Program == nil || a.Owner == *filter.Program) {
			keys = append(keys, key)
		}
		return true
	})
	keys.Sort()
	return c.inContext(config.Commitment, kit.List(keys, func(key solana.PublicKey) any {
		account := accountJSON(c.AccountAt(key, c.slotAt(config.Commitment)), config)
		return map[string]any{"pubkey": key, "account": account}
	}))
}

// uiAmount is an amount as nodes write it.
func uiAmount(amount uint64, decimals uint8) map[string]any {
	exact := new(big.Rat).SetFrac(new(big.Int).SetUint64(amount), build.TenTo(decimals))
	approximate, _ := exact.Float64()
	text := exact.FloatString(int(decimals))
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return map[string]any{
		"amount":         fmt.Sprint(amount),
		"decimals":       decimals,
		"uiAmount":       approximate,
		"uiAmountString": text,
	}
}
