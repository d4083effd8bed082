package signing

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// oracle builds a random well-formed transaction with solana-go.
func oracle(t *testing.T, r *rand.Rand, payer, other solana.PublicKey, tables bool) *solana.Transaction {
	t.Helper()
	random := func() (k solana.PublicKey) {
		for i := range k {
			k[i] = byte(r.Uint32())
		}
		return k
	}
	table := map[solana.PublicKey]solana.PublicKeySlice{}
	var held solana.PublicKeySlice
	for range 8 {
		held = append(held, random())
	}
	options := []solana.TransactionOption{solana.TransactionPayer(payer)}
	if tables {
		table[random()] = held
		options = append(options, solana.TransactionAddressTables(table))
	}
	var list []solana.Instruction
	for range 1 + r.IntN(4) {
		metas := solana.AccountMetaSlice{solana.Meta(other).SIGNER()}
		for range r.IntN(5) {
			meta := solana.Meta(random())
			if r.IntN(2) == 0 {
				meta = solana.Meta(held[r.IntN(len(held))])
			}
			if r.IntN(2) == 0 {
				meta = meta.WRITE()
			}
			metas = append(metas, meta)
		}
		data := make([]byte, r.IntN(150))
		list = append(list, solana.NewInstruction(random(), metas, data))
	}
	tx, err := solana.NewTransaction(list, solana.Hash(random()), options...)
	require.NoError(t, err)
	return tx
}

func TestSignatureEqualsSolanaGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	other := keyOf("other").PublicKey()
	versions := map[Version]int{}
	for i := range 400 {
		tx := oracle(t, r, solana.PublicKey(owner), solana.PublicKey(other), i%2 == 1)
		tx.Signatures = make([]solana.Signature, tx.Message.Header.NumRequiredSignatures)
		unsigned, err := tx.MarshalBinary()
		require.NoError(t, err)
		if len(unsigned) > txwire.MaxSize {
			continue
		}
		ours, err := Decode(base64Of(unsigned))
		require.NoError(t, err)
		versions[ours.Version()]++
		require.NoError(t, SignUnchecked(t.Context(), ours, ownerKey))
		require.NoError(t, SignUnchecked(t.Context(), ours, keyOf("other")))

		tx.Signatures = nil
		_, err = tx.Sign(func(k solana.PublicKey) *solana.PrivateKey {
			private := solana.PrivateKey(privateOf("owner"))
			if k == solana.PublicKey(other) {
				private = solana.PrivateKey(privateOf("other"))
			}
			return &private
		})
		require.NoError(t, err)
		theirs, err := tx.MarshalBinary()
		require.NoError(t, err)
		require.Equal(t, theirs, ours.Bytes())
		requireSameParts(t, tx, ours)
	}
	assert.Positive(t, versions[Legacy])
	assert.Positive(t, versions[V0])
}

func requireSameParts(t *testing.T, theirs *solana.Transaction, ours *Transaction) {
	t.Helper()
	message, err := theirs.Message.MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, message, ours.Message())
	require.Equal(t, [32]byte(theirs.Message.RecentBlockhash), [32]byte(ours.Blockhash()))
	require.Equal(t, theirs.Signatures[0].String(), ours.Signature().String())
	loaded := 0
	for _, lookup := range theirs.Message.AddressTableLookups {
		loaded += len(lookup.WritableIndexes) + len(lookup.ReadonlyIndexes)
	}
	static, err := theirs.Message.AccountMetaList()
	require.NoError(t, err)
	require.Len(t, ours.AccountKeys(), len(static)-loaded)
	n := 0
	for i, ins := range ours.Instructions() {
		want := theirs.Message.Instructions[i]
		require.Equal(t, [32]byte(theirs.Message.AccountKeys[want.ProgramIDIndex]), [32]byte(ins.Program))
		require.True(t, bytes.Equal(want.Data, ins.Data))
		for j, index := range want.Accounts {
			require.Equal(t, uint8(index), ins.Accounts[j])
		}
		n++
	}
	require.Len(t, theirs.Message.Instructions, n)
	for i, lookup := range ours.Lookups() {
		want := theirs.Message.AddressTableLookups[i]
		require.Equal(t, [32]byte(want.AccountKey), [32]byte(lookup.Table))
		require.True(t, bytes.Equal(want.WritableIndexes, lookup.Writable))
		require.True(t, bytes.Equal(want.ReadonlyIndexes, lookup.Readonly))
	}
}

func TestSignTouchesOnlyItsSlot(t *testing.T) {
	other := keyOf("other").PublicKey()
	for _, format := range txbuild.Formats {
		t.Run(format.String(), func(t *testing.T) {
			b := txbuild.Transaction{Format: format, Payer: owner, Blockhash: someBlockhash,
				Instructions: []txbuild.Instruction{txbuild.Memo("hello", owner, other)}}.Bytes()
			tx, err := DecodeBytes(b)
			require.NoError(t, err)
			require.Equal(t, []PublicKey{owner, other}, tx.Signers())
			require.NoError(t, SignUnchecked(t.Context(), tx, keyOf("other")))

			signed := tx.Bytes()
			at := bytes.LastIndex(signed, ed25519.Sign(privateOf("other"), tx.Message()))
			require.Positive(t, at)
			assert.Equal(t, ed25519.Sign(privateOf("other"), tx.Message()), signed[at:at+64])
			copy(signed[at:at+64], make([]byte, 64))
			assert.Equal(t, b, signed)
			assert.True(t, tx.Signature().IsZero())
			assert.Empty(t, tx.Signed().Signature)

			require.NoError(t, SignUnchecked(t.Context(), tx, ownerKey))
			assert.Equal(t, tx.Signature().String(), tx.Signed().Signature)
			assert.True(t, tx.Signature().Verify(owner, tx.Message()))
		})
	}
}

func TestSignIsIdempotent(t *testing.T) {
	tx, err := DecodeBytes(sized(t, txbuild.Legacy, 700))
	require.NoError(t, err)
	require.NoError(t, SignUnchecked(t.Context(), tx, ownerKey))
	first := tx.Bytes()
	require.NoError(t, SignUnchecked(t.Context(), tx, ownerKey))
	assert.Equal(t, first, tx.Bytes())

	first[1]++ // another signature in the owner's slot
	tx, err = DecodeBytes(first)
	require.NoError(t, err)
	err = SignUnchecked(t.Context(), tx, ownerKey)
	require.ErrorIs(t, err, ErrRefused)
	assert.Equal(t, first, tx.Bytes())
}

func TestSignRefusesWhoIsNotAsked(t *testing.T) {
	b := sized(t, txbuild.V0, 700)
	tx, err := DecodeBytes(b)
	require.NoError(t, err)
	err = SignUnchecked(t.Context(), tx, keyOf("other"))
	refusal := wiretest.As[*GuardError](t, err)
	assert.Equal(t, RuleSigners, refusal.Rule)
	assert.Equal(t, b, tx.Bytes())
}

// remote is a signer that is no LocalKey.
type remote struct {
	key    PublicKey
	answer func(message []byte) (Signature, error)
}

func (r remote) PublicKey() PublicKey { return r.key }
func (r remote) Sign(_ context.Context, message []byte) (Signature, error) {
	return r.answer(message)
}

func TestForeignSigner(t *testing.T) {
	broken := errors.New("token not present")
	cases := []struct {
		name   string
		answer func([]byte) (Signature, error)
		want   string
	}{
		{"good", func(m []byte) (Signature, error) { return ownerKey.Sign(t.Context(), m) }, ""},
		{"fails", func([]byte) (Signature, error) { return Signature{}, broken }, "token not present"},
		{"signs with another key", func(m []byte) (Signature, error) { return keyOf("other").Sign(t.Context(), m) }, "not its own"},
		{"changes the message", func(m []byte) (Signature, error) { m[0] ^= 1; return ownerKey.Sign(t.Context(), m) }, "not its own"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := sized(t, txbuild.V0, 700)
			tx, err := DecodeBytes(b)
			require.NoError(t, err)
			err = SignUnchecked(t.Context(), tx, remote{owner, c.answer})
			if c.want == "" {
				require.NoError(t, err)
				assert.True(t, tx.Signature().Verify(owner, tx.Message()))
				return
			}
			require.ErrorContains(t, err, c.want)
			assert.Equal(t, b, tx.Bytes())
		})
	}
}

func TestSignUnderEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := sized(t, txbuild.V0, 700)
	tx, err := DecodeBytes(b)
	require.NoError(t, err)
	require.ErrorIs(t, SignUnchecked(ctx, tx, ownerKey), context.Canceled)
	assert.Equal(t, b, tx.Bytes())
}

func TestTwoAllocations(t *testing.T) {
	text := base64Of(sized(t, txbuild.V0, txwire.MaxSize))
	n := testing.AllocsPerRun(100, func() { mustRoundTrip(t, text) })
	assert.LessOrEqual(t, n, 2.0)
}

func mustRoundTrip(t testing.TB, text walletfi.EncodedTransaction) walletfi.Base64Transaction {
	tx, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := SignUnchecked(t.Context(), tx, ownerKey); err != nil {
		t.Fatal(err)
	}
	return tx.Base64()
}
