package node_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// year is how long the token program's year is, in seconds.
const year = 31_556_736

// TestShownAmounts asks each method for an amount of a mint whose amounts are not shown as they are.
func TestShownAmounts(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Advance(slots(40))
	at := s.Time().Unix() - 32*400/1000 - 1 // of the finalized bank, in whole seconds
	real := func(v float64) []byte { return number(8, math.Float64bits(v)) }
	interest := func(begun, updated int64, before, since int16) []byte {
		return slices.Concat(number(2, 10), number(2, 52), noKey, number(8, uint64(begun)), number(2, uint64(uint16(before))),
			number(8, uint64(updated)), number(2, uint64(uint16(since))))
	}
	scaled := func(now float64, from int64, next float64) []byte {
		return slices.Concat(number(2, 25), number(2, 56), noKey, real(now), number(8, uint64(from)), real(next))
	}
	for name, test := range map[string]struct {
		extension []byte
		decimals  byte
		amount    uint64
		text      string
		number    any
	}{
		"a year of 5 %":            {interest(at-year, at-year, 0, 500), 6, 1_000_000, "1.051271", json.Number("1.051271")},
		"a year of 5 %, then none": {interest(at-year, at, 500, 0), 6, 1_000_000, "1.051271", json.Number("1.051271")},
		"two different years":      {interest(at-2*year, at-year, 500, -500), 6, 1_000_000, "1", json.Number("1")},
		"it shrinks":               {interest(at-year, at-year, 0, -10_000), 2, 100, "0.37", json.Number("0.37")},
		"half as much again":       {scaled(1.5, 0, 1.5), 6, 1_000_000, "1.5", json.Number("1.5")},
		"not yet":                  {scaled(1.5, at+60, 3), 6, 1_000_001, "1.500001", json.Number("1.500001")},
		"from now on":              {scaled(1.5, at-60, 3), 6, 1_000_001, "3.000003", json.Number("3.000003")},
		"cut off":                  {scaled(0.99, 0, 0.99), 2, 101, "0.99", json.Number("0.99")},
		"whole ones":               {scaled(10, 0, 10), 0, 7, "70", json.Number("70")},
		"too much":                 {scaled(math.MaxFloat64, 0, math.MaxFloat64), 0, 7, "inf", nil},
		"neither":                  {nil, 6, 1_500_000, "1.5", json.Number("1.5")},
	} {
		t.Run(name, func(t *testing.T) {
			key, account, owner := build.PublicKey(s.Keypair(name)), build.PublicKey(s.Keypair(name+"'s")), build.PublicKey(s.Keypair("owner"))
			mint := slices.Concat(none, noKey, number(8, test.amount), []byte{test.decimals, 1}, none, noKey, make([]byte, 83), []byte{1}, test.extension)
			token := slices.Concat(key[:], owner[:], number(8, test.amount), []byte{1, 0, 0, 0}, owner[:], []byte{1},
				make([]byte, 12), number(8, test.amount), none, noKey, []byte{2})
			s.Lock()
			s.Put(key, ledger.Account{Lamports: 1e9, Owner: solana.Token2022ProgramID, Data: mint})
			s.Put(account, ledger.Account{Lamports: 1e9, Owner: solana.Token2022ProgramID, Data: token})
			s.Unlock()
			parsed := object{"encoding": "jsonParsed"}
			info := []any{"data", "parsed", "info"}
			for _, call := range []struct {
				method string
				params []any
				path   []any
			}{
				{"getTokenSupply", []any{key}, []any{"value"}},
				{"getTokenAccountBalance", []any{account}, []any{"value"}},
				{"getTokenLargestAccounts", []any{key}, []any{"value", 0}},
				{"getAccountInfo", []any{account, parsed}, slices.Concat([]any{"value"}, info, []any{"tokenAmount"})},
				{"getAccountInfo", []any{account, parsed}, slices.Concat([]any{"value"}, info, []any{"delegatedAmount"})},
				{"getTokenAccountsByOwner", []any{owner, object{"mint": key}, parsed},
					slices.Concat([]any{"value", 0, "account"}, info, []any{"tokenAmount"})},
			} {
				got := answer{JSON: s.ok(t, 0, call.method, call.params...).At(call.path...)}
				assert.Equal(t, test.text, got.Text("uiAmountString"), call.method)
				assert.Equal(t, test.number, got.At("uiAmount"), call.method)
			}
		})
	}
}
