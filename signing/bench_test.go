package signing

import (
	"crypto/ed25519"
	"slices"
	"testing"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// BenchmarkTooComplex is the most that a hostile set costs before it is refused.
func BenchmarkTooComplex(b *testing.B) {
	s := ordinary(times(50, txbuild.Transfer(owner, friend, 1_300))...)
	u := set(txbuild.V0, slices.Repeat([]*scene{s}, 16)...)
	guard := NewGuard(s.policy)
	for b.Loop() {
		_, report, err := guard.CheckSet(b.Context(), u)
		if err == nil || report.Refusal.Rule != RuleTooComplex {
			b.Fatal(report)
		}
	}
}

// BenchmarkGuard measures a guarded signature against an unguarded one, text
// in and text out, of the same full transaction: plain; with an associated
// account derived again, as the first time that an owner meets a mint; with
// another signer's signature verified.
func BenchmarkGuard(b *testing.B) {
	mint, program := PublicKey(addressOf("mint")), addressOf("exchange")
	policy := Policy{Pins: map[string][]PublicKey{"swap": {program}}, AllowBlind: []string{"swap"}}
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

// BenchmarkSign measures text in, signed text out, against ed25519.Sign over
// the same message. The two alternate within one run, so that a change of the
// machine's clock meets both.
func BenchmarkSign(b *testing.B) {
	full, large := sized(b, txbuild.V0, txwire.MaxSize), sized(b, txbuild.V1, txwire.MaxSizeV1)
	base58Text, err := base64Of(full).Base58()
	if err != nil {
		b.Fatal(err)
	}
	cases := []struct {
		name  string
		bytes []byte
		run   func()
	}{
		{"base64/1232", full, signBase64(b, base64Of(full))},
		{"base58/1232", full, func() { sinkText = mustRoundTrip(b, base58Text) }},
		{"v1/4096", large, signBase64(b, base64Of(large))},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			tx, err := DecodeBytes(c.bytes)
			if err != nil {
				b.Fatal(err)
			}
			private, message := privateOf("owner"), tx.Message()
			b.ReportAllocs()
			ratio(b, func() { sinkSignature = ed25519.Sign(private, message) }, c.run)
		})
	}
}

func signBase64(b *testing.B, text walletfi.Base64Transaction) func() {
	return func() { sinkText = mustRoundTrip(b, text) }
}

var (
	sinkText      walletfi.Base64Transaction
	sinkSignature []byte
)

func ratio(b *testing.B, base, measured func()) { ratioAs(b, "x-ed25519", base, measured) }

// ratioAs runs base and measured in turn and reports the median of measured
// over the median of base, so that what else the machine does hits neither.
func ratioAs(b *testing.B, unit string, base, measured func()) {
	const round = 16
	var bases, alls []time.Duration
	for b.Loop() {
		start := time.Now()
		for range round {
			base()
		}
		middle := time.Now()
		for range round {
			measured()
		}
		bases = append(bases, middle.Sub(start))
		alls = append(alls, time.Since(middle))
	}
	slices.Sort(bases)
	slices.Sort(alls)
	baseTime, time := bases[len(bases)/2], alls[len(alls)/2]
	b.ReportMetric(float64(time)/float64(baseTime), unit)
	b.ReportMetric(float64(time.Nanoseconds())/round, "ns/sign")
}
