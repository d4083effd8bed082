package signing

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// BenchmarkGuard measures a guarded signature against an unguarded one, text
// in and text out, of the same full transaction: plain; with an associated
// account derived again, as the first time that an owner meets a mint; with
// another signer's signature verified.
func BenchmarkGuard(b *testing.B) {
	mint, program := PublicKey(addressOf("mint")), addressOf("exchange")
	policy := Policy{Pins: map[string][]PublicKey{"swap": {program}}}
	intent := walletfi.Intent{Service: "swap", Owner: owner.String(), TipLamports: 10_000,
		Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: 1_000_000}, {Mint: mint.String(), Amount: 1}}}
	plain := fill(b, swapLike(program, PublicKey{}))
	derives := fill(b, swapLike(program, mint))
	signed := fill(b, swapLike(program, PublicKey{}), "maker")
	b.Run("plain", func(b *testing.B) { guardRatio(b, plain, intent, NewGuard(policy), false) })
	b.Run("derivation", func(b *testing.B) { guardRatio(b, derives, intent, NewGuard(policy), true) })
	b.Run("cosigner", func(b *testing.B) { guardRatio(b, signed, intent, NewGuard(policy), false) })
}

// swapLike looks like a swap: compute budget, wrapping, a pinned
// program's call over many accounts; with a mint, a token transfer
// whose recipient might be ours.
func swapLike(program, mint PublicKey) []txbuild.Instruction {
	wrapped := AssociatedTokenAddress(owner, NativeMint, TokenProgram)
	accounts := []txbuild.Account{txbuild.WritableSigner(owner), txbuild.Writable(wrapped)}
	for i := range 16 {
		accounts = append(accounts, txbuild.Writable(addressOf(string(rune('a'+i)))))
	}
	list := []txbuild.Instruction{
		txbuild.UnitLimit(200_000), txbuild.UnitPrice(1000),
		txbuild.CreateATA(owner, wrapped, owner, NativeMint, TokenProgram, true),
		txbuild.Transfer(owner, wrapped, 1_000_000),
		txbuild.SPLToken.SyncNative(wrapped),
		{Program: program, Accounts: accounts, Data: make([]byte, 40)},
		txbuild.SPLToken.Close(wrapped, owner, owner),
	}
	if !mint.IsZero() {
		list = append(list, txbuild.SPLToken.TransferChecked(addressOf("a"), mint, addressOf("b"), owner, 1, 6))
	}
	return list
}

// fill pads a transaction to the largest packet.
func fill(b *testing.B, list []txbuild.Instruction, signers ...string) []byte {
	build := func(n int) txbuild.Transaction {
		tx := txbuild.Transaction{Format: txbuild.V0, Payer: owner, Blockhash: someBlockhash,
			Instructions: append(list[:len(list):len(list)], txbuild.Instruction{Program: txbuild.MemoV2, Data: make([]byte, n)})}
		for _, name := range signers {
			tx.Signers = append(tx.Signers, keyOf(name).PublicKey())
		}
		return tx
	}
	short := len(build(0).Bytes())
	tx := build(max(0, txwire.MaxSize-short-1))
	for _, name := range signers {
		return tx.SignBy(privateOf(name))
	}
	return tx.Bytes()
}

func guardRatio(b *testing.B, raw []byte, intent walletfi.Intent, guard *Guard, forget bool) {
	text := base64Of(raw)
	b.ReportAllocs()
	ctx, u := b.Context(), walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{text}, Intent: intent}
	unguarded := func() { sinkText = mustRoundTrip(b, text) }
	guarded := func() {
		if forget {
			guard.judge = judge.Judge{Policy: guard.judge.Policy}
		}
		txs, _, err := guard.SignSet(ctx, u, ownerKey)
		if err != nil {
			b.Fatal(err)
		}
		sinkText = txs[0].Base64()
	}
	ratioAs(b, "x-unguarded", unguarded, guarded)
}
