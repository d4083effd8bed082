package node

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// mintAmount is an amount of a mint as the bank that look finds accounts in shows it. Balances and
// instructions of transactions say uiAmount instead, without interest or multiplier.
func mintAmount(amount uint64, mint ledger.Mint, look lookup) map[string]any {
	told := uiAmount(amount, mint.Decimals())
	if shown, ok := mint.Shown(amount, clockOf(look)); ok {
		told["uiAmount"], told["uiAmountString"] = nil, shown
		if approximate, err := strconv.ParseFloat(shown, 64); err == nil && !math.IsInf(approximate, 0) {
			told["uiAmount"] = approximate
		}
	}
	return told
}

// clockOf is the Unix time of a bank.
func clockOf(look lookup) int64 {
	return int64(binary.LittleEndian.Uint64(look(solana.SysVarClockPubkey).Data[32:]))
}

// uiAmount is an amount as nodes write it: approximate if a whole token has fewer than 2^64
// smallest units, and exact.
func uiAmount(amount uint64, decimals uint8) map[string]any {
	whole := build.TenTo(decimals)
	exact := new(big.Rat).SetFrac(new(big.Int).SetUint64(amount), whole)
	var approximate any
	if whole.IsUint64() {
		approximate = float64(amount) / float64(whole.Uint64())
	}
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
