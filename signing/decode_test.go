package signing

import (
	"bytes"
	"encoding/base64"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// simple is a transaction in which every part has a place that is easily
// found: one signer, three keys, one instruction.
func simple(format txbuild.Format) []byte {
	return txbuild.Transaction{Format: format, Payer: owner, Blockhash: someBlockhash,
		Instructions: []txbuild.Instruction{txbuild.Transfer(owner, stranger, 7)}}.Bytes()
}

const (
	headerAt       = 65 // legacy, one signature
	keyCountAt     = headerAt + 3
	keysAt         = keyCountAt + 1
	instructionsAt = keysAt + 3*32 + 32
)

// patch returns b with the bytes at position at replaced.
func patch(b []byte, at int, by ...byte) []byte {
	b = append([]byte(nil), b...)
	copy(b[at:], by)
	return b
}

// splice returns b with n bytes at position at replaced by others.
func splice(b []byte, at, n int, by ...byte) []byte {
	return append(append(append([]byte(nil), b[:at]...), by...), b[at+n:]...)
}

func TestMalformed(t *testing.T) {
	legacy, v0, v1 := simple(txbuild.Legacy), simple(txbuild.V0), simple(txbuild.V1)
	table := txbuild.Transaction{Format: txbuild.V0, Payer: owner, Blockhash: someBlockhash,
		Tables:       []txbuild.Table{{Address: addressOf("table"), Holds: []txbuild.Key{stranger}}},
		Instructions: []txbuild.Instruction{txbuild.Transfer(owner, stranger, 7)}}.Bytes()
	const v1Counts, v1Keys = 1 + 3 + 4 + 32, 1 + 3 + 4 + 32 + 2
	cases := []struct {
		name  string
		bytes []byte
		rule  Rule
	}{
		{"empty", nil, RuleEncoding},
		{"a byte too many, legacy", append(simple(txbuild.Legacy), 0), RuleEncoding},
		{"a byte too many, v0", append(simple(txbuild.V0), 0), RuleEncoding},
		{"a byte too many, v1", append(simple(txbuild.V1), 0), RuleEncoding},
		{"a byte too few", legacy[:len(legacy)-1], RuleEncoding},
		{"v1 without its signatures", v1[:len(v1)-64], RuleEncoding},
		{"signature count of 0x81 0x00 reads as v1", splice(legacy, 0, 1, 0x81, 0), RuleSanity},
		{"key count in two bytes", splice(legacy, keyCountAt, 1, 0x83, 0), RuleEncoding},
		{"key count in three bytes", splice(legacy, keyCountAt, 1, 0x83, 0x80, 0), RuleEncoding},
		{"key count past 16 bits", splice(legacy, keyCountAt, 1, 0x83, 0x80, 4), RuleEncoding},
		{"instruction count not shortest", splice(legacy, instructionsAt, 1, 0x81, 0), RuleEncoding},
		{"more slots than signers", splice(legacy, 0, 1, append([]byte{2}, make([]byte, 64)...)...), RuleEncoding},
		{"fewer slots than signers", splice(legacy, 0, 65, 0), RuleEncoding},
		{"more signers than slots", patch(legacy, headerAt, 2), RuleEncoding},
		{"more signers than keys", splice(patch(legacy, headerAt, 4), 0, 1, append([]byte{4}, make([]byte, 3*64)...)...), RuleSanity},
		{"v0 message of version 2", patch(v0, headerAt, 0x82), RuleVersion},
		{"v1 message behind signatures", patch(v0, headerAt, 0x81), RuleVersion},
		{"0xff prefix", patch(v0, headerAt, 0xff), RuleVersion},
		{"0x7f prefix is a legacy header", patch(v0, headerAt, 0x7f), RuleEncoding},
		{"transaction of version 2", patch(v1, 0, 0x82), RuleVersion},
		{"program index 0", patch(legacy, instructionsAt+1, 0), RuleSanity},
		{"program index past the keys", patch(legacy, instructionsAt+1, 3), RuleSanity},
		{"program from a table", patch(table, len(table)-len(tail(table))+0, 2), RuleSanity},
		{"account index past the keys", patch(legacy, instructionsAt+3, 3), RuleSanity},
		{"account index 255", patch(legacy, instructionsAt+4, 255), RuleSanity},
		{"read-only fee payer", patch(legacy, headerAt+1, 1), RuleSanity},
		{"read-only beyond the keys", patch(legacy, headerAt+2, 3), RuleSanity},
		{"the same key twice", patch(legacy, keysAt+32, owner[:]...), RuleSanity},
		{"the same key twice, v1", patch(v1, v1Keys+32, owner[:]...), RuleSanity},
		{"a table that loads nothing", splice(table, len(table)-3, 3, 0, 0), RuleSanity},
		{"config mask bit 5", patch(v1, 4, 1<<5), RuleSanity},
		{"config mask bit 31", patch(v1, 7, 1<<7), RuleSanity},
		{"half a priority fee, low", splice(patch(v1, 4, 1), v1Keys+3*32, 0, 1, 2, 3, 4), RuleSanity},
		{"half a priority fee, high", splice(patch(v1, 4, 2), v1Keys+3*32, 0, 1, 2, 3, 4), RuleSanity},
		{"v1 with 65 instructions", patch(v1, v1Counts, 65), RuleSanity},
		{"v1 with 65 accounts", patch(v1, v1Counts+1, 65), RuleSanity},
		{"v1 with 13 signers", patch(v1, 1, 13), RuleSanity},
		{"too long", make([]byte, txwire.MaxSizeV1+1), RuleEncoding},
		{"legacy of 1,233 bytes", sizedUnchecked(txbuild.Legacy), RuleEncoding},
		{"v0 of 1,233 bytes", sizedUnchecked(txbuild.V0), RuleEncoding},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			tx, err := DecodeBytes(c.bytes)
			require.Nil(t, tx)
			refusal := wiretest.As[*GuardError](t, err)
			assert.Equal(t, c.rule, refusal.Rule, refusal.Error())
			assert.Equal(t, EnvelopeInstruction, refusal.Instruction)
			assert.NotContains(t, refusal.Error(), "\n")
		})
	}
}

// tail is the one instruction of the table transaction and what follows it.
func tail(table []byte) []byte { return table[1+64+1+3+1+2*32+32+1:] }

func sizedUnchecked(format txbuild.Format) []byte {
	ins := txbuild.Instruction{Program: txbuild.MemoV2, Data: make([]byte, 1024)}
	b := txbuild.Transaction{Format: format, Payer: owner, Blockhash: someBlockhash, Instructions: []txbuild.Instruction{ins}}.Bytes()
	ins.Data = make([]byte, 1024+txwire.MaxSize+1-len(b))
	return txbuild.Transaction{Format: format, Payer: owner, Blockhash: someBlockhash, Instructions: []txbuild.Instruction{ins}}.Bytes()
}

func TestMalformedText(t *testing.T) {
	good := string(base64Of(simple(txbuild.Legacy)))
	padded := string(base64Of(append(simple(txbuild.Legacy)[:0:0], sized(t, txbuild.Legacy, 700)...)))
	require.True(t, strings.HasSuffix(padded, "="))
	cases := map[string]walletfi.EncodedTransaction{
		"empty base64":          walletfi.Base64Transaction(""),
		"empty base58":          walletfi.Base58Transaction(""),
		"nothing":               nil,
		"line break":            walletfi.Base64Transaction(good[:4] + "\r\n\r\n" + good[4:]),
		"trailing line break":   walletfi.Base64Transaction(good + "\n\n\n\n"),
		"space":                 walletfi.Base64Transaction(" " + good[1:]),
		"URL alphabet":          walletfi.Base64Transaction("-_-_" + good[4:]),
		"no padding":            walletfi.Base64Transaction(strings.TrimRight(padded, "=")),
		"padding bits set":      walletfi.Base64Transaction(strings.TrimRight(padded, "=")[:len(strings.TrimRight(padded, "="))-1] + "/" + strings.Repeat("=", strings.Count(padded, "="))),
		"padding in between":    walletfi.Base64Transaction(good[:4] + "AA==" + good[8:]),
		"base64 far too long":   walletfi.Base64Transaction(strings.Repeat("A", 1<<20)),
		"base58 far too long":   walletfi.Base58Transaction(strings.Repeat("z", 1<<20)),
		"base58 of 5,594 z":     walletfi.Base58Transaction(strings.Repeat("z", txwire.MaxBase58Text)),
		"base58 of zeros":       walletfi.Base58Transaction(strings.Repeat("1", txwire.MaxBase58Text)),
		"not base58: 0":         walletfi.Base58Transaction("10"),
		"not base58: newline":   walletfi.Base58Transaction("1\n"),
		"not base58: non-ascii": walletfi.Base58Transaction("é"),
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			tx, err := Decode(text)
			require.Nil(t, tx)
			refusal := wiretest.As[*GuardError](t, err)
			assert.Equal(t, RuleEncoding, refusal.Rule)
			assert.Less(t, len(err.Error()), 300)
		})
	}
}

func TestDecodeKeepsWhatIsWellFormed(t *testing.T) {
	fee, units, heap := uint64(12345), uint32(200_000), uint32(64*1024)
	tx, err := DecodeBytes(txbuild.Transaction{Format: txbuild.V1, Payer: owner, Blockhash: someBlockhash,
		Config:       txbuild.Config{PriorityFee: &fee, UnitLimit: &units, Heap: &heap},
		Instructions: []txbuild.Instruction{txbuild.Transfer(owner, stranger, 7), txbuild.Memo("x")}}.Bytes())
	require.NoError(t, err)
	assert.Equal(t, V1, tx.Version())
	config, ok := tx.Config()
	assert.True(t, ok)
	assert.Equal(t, Config{PriorityFeeLamports: walletfi.Amount(fee), ComputeUnitLimit: units, HeapBytes: heap}, config)
	assert.Equal(t, []PublicKey{owner, stranger, SystemProgram, MemoProgram}, tx.AccountKeys())
	assert.Equal(t, owner, tx.FeePayer())
	assert.Equal(t, someBlockhash, tx.Blockhash())
	var programs []PublicKey
	for _, ins := range tx.Instructions() {
		programs = append(programs, ins.Program)
	}
	assert.Equal(t, []PublicKey{SystemProgram, MemoProgram}, programs)
	assert.Equal(t, tx.Bytes()[:tx.Len()-64], tx.Message())
}

func TestDecodeAllNamesTheTransaction(t *testing.T) {
	good := base64Of(simple(txbuild.V0))
	_, err := DecodeAll(walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{good, good[:len(good)-4]}})
	refusal := wiretest.As[*GuardError](t, err)
	assert.Equal(t, 1, refusal.Transaction)
	txs, err := DecodeAll(walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{good, good}})
	require.NoError(t, err)
	assert.Len(t, txs, 2)
}

// TestDecodeAllocatesLittle: whatever the bytes, decoding takes the room of a
// transaction and of a refusal's text.
func TestDecodeAllocatesLittle(t *testing.T) {
	for name, b := range map[string][]byte{
		"good": simple(txbuild.V0), "cut": simple(txbuild.V0)[:90], "long": make([]byte, txwire.MaxSizeV1+1),
		"counts without data": append([]byte{0x81, 12, 0, 0}, bytes.Repeat([]byte{64}, 38)...), "zeros": make([]byte, 1232),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 100 {
			_, _ = DecodeBytes(b)
		}
		runtime.ReadMemStats(&after)
		require.Less(t, (after.TotalAlloc-before.TotalAlloc)/100, uint64(16<<10), name)
	}
}

// FuzzDecode holds the parser against a second reading of what it accepted.
func FuzzDecode(f *testing.F) {
	for _, format := range txbuild.Formats {
		f.Add(simple(format))
		f.Add(sized(f, format, 700))
	}
	f.Add([]byte{0x81})
	f.Fuzz(func(t *testing.T, b []byte) {
		tx, err := DecodeBytes(b)
		if err != nil {
			if !errors.Is(err, ErrRefused) {
				t.Fatal(err)
			}
			return
		}
		if !bytes.Equal(b, tx.Bytes()) {
			t.Fatal("other bytes than were decoded")
		}
		requireSane(t, tx)
		again, err := Decode(walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b)))
		if err != nil || tx.wire.Layout != again.wire.Layout {
			t.Fatalf("read otherwise from text: %v", err)
		}
	})
}

// requireSane applies the runtime's rules to what the accessors return.
func requireSane(t *testing.T, tx *Transaction) {
	keys, total := tx.AccountKeys(), len(tx.AccountKeys())
	for _, lookup := range tx.Lookups() {
		require.NotZero(t, len(lookup.Writable)+len(lookup.Readonly))
		total += len(lookup.Writable) + len(lookup.Readonly)
	}
	require.LessOrEqual(t, total, txwire.MaxAccounts)
	require.True(t, tx.wire.Writable(0))
	require.LessOrEqual(t, len(tx.Signers()), len(keys))
	require.Len(t, tx.Signatures(), len(tx.Signers()))
	seen := map[PublicKey]bool{}
	for _, k := range keys {
		if seen[k] {
			t.Fatalf("%s twice", k)
		}
		seen[k] = true
	}
	for c := tx.wire.Instructions(); c.Next(); {
		if c.Program == 0 || int(c.Program) >= len(keys) {
			t.Fatalf("program index %d of %d", c.Program, len(keys))
		}
		for _, index := range c.Accounts {
			if int(index) >= total {
				t.Fatalf("account index %d of %d", index, total)
			}
		}
	}
}
