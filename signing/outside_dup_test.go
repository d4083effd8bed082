package signing_test

import (
	"encoding/base64"
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideDuplicates: accounts named twice, in one instruction and in a message.
func TestOutsideDuplicates(t *testing.T) {
	u := xIntent()
	w, s, ro := txbuild.Writable, txbuild.Signer, txbuild.Readonly
	tok := func(data []byte, a ...txbuild.Account) ins { return raw(signing.TokenProgram, data, a...) }
	amount := []byte{12, 0xf5, 1, 0, 0, 0, 0, 0, 0, 6}
	runAttempts(t, []attempt{
		{name: "source twice before the payee", policy: xPolicy(), set: []xTx{v0(tok(amount, w(xMyUSDC), ro(xUSDC), w(xMyUSDC), w(xThUSDC), s(xOwner)))}, intent: u, known: "a transfer to itself: the ledger moves nothing"},
		{name: "the mint as its own source", policy: xPolicy(), set: []xTx{v0(tok(amount, w(xUSDC), ro(xUSDC), w(xThUSDC), s(xOwner)))}, intent: u},
		{name: "the owner as the payee", policy: xPolicy(), set: []xTx{v0(tok(amount, w(xMyUSDC), ro(xUSDC), w(xOwner), s(xOwner)))}, intent: u},
		{name: "the owner in every place", policy: xPolicy(), set: []xTx{v0(tok(amount, w(xOwner), w(xOwner), w(xOwner), s(xOwner)))}, intent: u},
		{name: "authority behind the thief's", policy: xPolicy(), set: []xTx{v0(tok(amount, w(xMyUSDC), ro(xUSDC), w(xThUSDC), ro(xThief), s(xOwner)))}, intent: u},
		{name: "closed into itself", policy: xPolicy(), set: []xTx{v0(xTok.Close(xMyWSOL, xMyWSOL, xOwner))}, intent: u, known: "the ledger refuses it"},
		{name: "created at the payer", policy: xPolicy(), set: []xTx{v0(txbuild.CreateAccount(xOwner, xOwner, 5, 5, xProg))}, intent: u},
		{name: "an ATA create whose account is the thief's wallet", policy: xPolicy(), set: []xTx{v0(raw(signing.AssociatedTokenProgram, []byte{1}, txbuild.WritableSigner(xOwner), w(xThief), ro(xThief), ro(xUSDC), ro(pk{}), ro(signing.TokenProgram)))}, intent: u},
		{name: "an ATA create with two token programs", policy: xPolicy(), set: []xTx{v0(raw(signing.AssociatedTokenProgram, []byte{1}, txbuild.WritableSigner(xOwner), w(xMyUSDC), ro(xOwner), ro(xUSDC), ro(signing.TokenProgram), ro(signing.Token2022Program)))}, intent: u},
		{name: "an ATA create whose payer comes second", policy: xPolicy(), set: []xTx{v0(raw(signing.AssociatedTokenProgram, []byte{1}, w(xThUSDC), txbuild.WritableSigner(xOwner), ro(xThief), ro(xUSDC), ro(pk{}), ro(signing.TokenProgram)))}, intent: u},
		{name: "a batch that shares accounts by count 0", policy: xPolicy(), set: []xTx{v0(tok(append([]byte{255, 0, 10}, amount...), w(xMyUSDC), ro(xUSDC), w(xThUSDC), s(xOwner)))}, intent: u},
		{name: "a batch with an empty part", policy: xPolicy(), set: []xTx{v0(tok(append([]byte{255, 0, 0, 4, 10}, amount...), w(xMyUSDC), ro(xUSDC), w(xThUSDC), s(xOwner)))}, intent: u},
		{name: "a batch with accounts left over", policy: xPolicy(), set: []xTx{v0(tok(append([]byte{255, 3, 10}, amount...), w(xMyUSDC), ro(xUSDC), w(xThUSDC), s(xOwner)))}, intent: u},
		{name: "SetAuthority by a multisig of ours", policy: xPolicy(keysAre(outAddr("msig"))), set: []xTx{v0(tok(append([]byte{6, 2, 1}, xThief[:]...), w(outAddr("m")), ro(outAddr("msig")), s(xOwner)))}, intent: u},
		{name: "SetAuthority where the owner signs as the eleventh", policy: xPolicy(), set: []xTx{v0(tok(append([]byte{6, 2, 1}, xThief[:]...), w(outAddr("m")), ro(outAddr("msig")), ro(outAddr("1")), ro(outAddr("2")), s(xOwner)))}, intent: u},
		{name: "transfer with a trailing tail", policy: xPolicy(), set: []xTx{v0(tok(append(slices.Clone(amount), make([]byte, 100)...), w(xMyUSDC), ro(xUSDC), w(xThUSDC), s(xOwner)))}, intent: u},
		{name: "system transfer with a tail", policy: xPolicy(), set: []xTx{v0(raw(pk{}, append([]byte{2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 50)...), txbuild.WritableSigner(xOwner), w(xThief)))}, intent: u},
		{name: "system transfer with further accounts", policy: xPolicy(), set: []xTx{v0(raw(pk{}, []byte{2, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0}, txbuild.WritableSigner(xOwner), w(xThief), w(xOwner)))}, intent: u},
		{name: "transfer with seed by the owner's base", policy: xPolicy(), set: []xTx{v0(txbuild.TransferWithSeed(outAddr("derived"), xOwner, "seed", xProg, xThief, 9))}, intent: u},
	})
	// Messages.
	good := xTx{format: txbuild.Legacy, ins: []ins{txbuild.Memo("x", xOwner)}}.encoded().String()
	b, _ := base64.StdEncoding.DecodeString(good)
	mutate := func(f func([]byte) []byte) walletfi.Unsigned {
		return walletfi.Unsigned{Intent: u, Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(f(slices.Clone(b))))}}
	}
	keyAt := 1 + 64 + 3 + 1
	for name, f := range map[string]func([]byte) []byte{
		"a key twice":           func(b []byte) []byte { copy(b[keyAt+32:], b[keyAt:keyAt+32]); return b },
		"a byte too many":       func(b []byte) []byte { return append(b, 0) },
		"a byte too few":        func(b []byte) []byte { return b[:len(b)-1] },
		"two slots for one":     func(b []byte) []byte { b[0] = 2; return append(b[:65], append(make([]byte, 64), b[65:]...)...) },
		"no slot":               func(b []byte) []byte { b[0] = 0; return append(b[:1], b[65:]...) },
		"version 1 in v0":       func(b []byte) []byte { return append(b[:65], append([]byte{0x81}, b[65:]...)...) },
		"version 127":           func(b []byte) []byte { return append(b[:65], append([]byte{0xff}, b[65:]...)...) },
		"all signers read-only": func(b []byte) []byte { b[66] = 1; return b },
		"a long length":         func(b []byte) []byte { return append(append(slices.Clone(b[:0]), 0x81, 0x00), b[1:]...) },
		"empty":                 func([]byte) []byte { return nil },
		"1,233 bytes":           func(b []byte) []byte { return append(b, make([]byte, 1233-len(b))...) },
	} {
		outCount++
		_, _, err := signing.NewGuard(xPolicy()).SignSet(t.Context(), mutate(f), xKey)
		if err == nil {
			t.Errorf("SIGNED %s", name)
		}
	}
	for i := range b { // any single byte of the message that changes is another message
		for _, x := range []byte{1, 0x80} {
			c := slices.Clone(b)
			c[i] ^= x
			tx, err := signing.DecodeBytes(c)
			if err == nil && !slices.Equal(tx.Bytes(), c) {
				t.Errorf("byte %d: read as other bytes", i)
			}
		}
	}
}
