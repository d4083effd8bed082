package node

import (
	"encoding/base64"

	"github.com/gagliardetto/solana-go"
	"github.com/klauspost/compress/zstd"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

func (c *call) getBalance() any {
	key, config := c.addressAndConfig()
	return c.inContext(config.Commitment, c.BalanceAt(key, c.slotAt(config.Commitment)))
}

func (c *call) getAccountInfo() any {
	key, config := c.addressAndConfig()
	account := accountJSON(key, config.look(key), config)
	return c.inContext(config.Commitment, account)
}

func (c *call) getMultipleAccounts() any {
	var texts []string
	c.param(0, true, &texts)
	failIf(len(texts) > 100, params, "Too many inputs provided; max 100")
	config := c.configAt(1)
	if config.Encoding == "" {
		config.Encoding = "base64" // the one method whose standard this is
	}
	return c.inContext(config.Commitment, kit.List(texts, func(text string) any {
		key := addressOf(text)
		return accountJSON(key, config.look(key), config)
	}))
}

// accountJSON writes an account as nodes do, or nil if there is no account.
// jsonParsed falls back to base64 for data without a parser.
func accountJSON(key solana.PublicKey, a *ledger.Account, config config) any {
	if a == nil {
		return nil
	}
	if config.Encoding == "jsonParsed" {
		if parsed := parsedAccount(key, a, config.look); parsed != nil {
			return accountWith(a, parsed)
		}
	}
	return accountWith(a, encodeData(a.Data, config))
}

func accountWith(a *ledger.Account, data any) any {
	return map[string]any{
		"lamports": a.Lamports, "owner": a.Owner, "data": data, "executable": a.Executable,
		"rentEpoch": uint64(1<<64 - 1), "space": len(a.Data),
	}
}

// zstandard compresses the data of accounts.
var zstandard, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))

func encodeData(data []byte, config config) any {
	if s := config.DataSlice; s != nil {
		data = data[min(s.Offset, uint(len(data))):]
		data = data[:min(s.Length, uint(len(data)))]
	}
	switch config.Encoding {
	case "base64", "jsonParsed":
		return []string{base64.StdEncoding.EncodeToString(data), "base64"}
	case "base64+zstd":
		return []string{base64.StdEncoding.EncodeToString(zstandard.EncodeAll(data, nil)), "base64+zstd"}
	}
	failIf(len(data) > 128, invalid,
		"Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.")
	if config.Encoding == "base58" {
		return []string{base58.Encode(data), "base58"}
	}
	return base58.Encode(data)
}
