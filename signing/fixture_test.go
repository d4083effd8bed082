package signing

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// keyOf is the key of a name: the same in every run, and readable in a test.
func keyOf(name string) *LocalKey {
	seed := sha256.Sum256([]byte(name))
	key, err := NewLocalKeyFromSeed(seed[:])
	if err != nil {
		panic(err)
	}
	return key
}

func privateOf(name string) ed25519.PrivateKey { return keyOf(name).secret().private }

// addressOf is an address that nobody signs for.
func addressOf(name string) PublicKey { return PublicKey(sha256.Sum256([]byte("address " + name))) }

func base64Of(b []byte) walletfi.Base64Transaction {
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b))
}

var (
	ownerKey      = keyOf("owner")
	owner         = ownerKey.PublicKey()
	stranger      = addressOf("stranger")
	someBlockhash = addressOf("blockhash")
)

// sized returns a transaction of exactly size bytes that the owner pays for.
func sized(t testing.TB, format txbuild.Format, size int) []byte {
	t.Helper()
	build := func(memo int) []byte {
		ins := []txbuild.Instruction{txbuild.Transfer(owner, stranger, 1), {Program: txbuild.MemoV2, Data: make([]byte, memo)}}
		for i := range min(20, size/100) {
			ins[0].Accounts = append(ins[0].Accounts, txbuild.Readonly(addressOf(string(rune('a'+i)))))
		}
		return txbuild.Transaction{Format: format, Payer: owner, Blockhash: someBlockhash, Instructions: ins}.Bytes()
	}
	const memo = 300 // its length takes two bytes here and in the result
	b := build(memo + size - len(build(memo)))
	require.Equal(t, size, len(b))
	return b
}

// signOne checks and signs a decoded transaction as SignSet does a set.
func (g *Guard) signOne(ctx context.Context, tx *Transaction, signer Signer, intent walletfi.Intent, opts ...Option) (*Report, error) {
	report, err := g.Check(ctx, tx, intent, opts...)
	if err != nil {
		return report, err
	}
	return report, g.signAll(ctx, []*Transaction{tx}, signer, report)
}
