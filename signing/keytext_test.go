package signing

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func TestSignatureText(t *testing.T) {
	for _, s := range []Signature{{}, {1}, {63: 1}, Signature(bytes.Repeat([]byte{255}, 64))} {
		back, err := ParseSignature(s.String())
		require.NoError(t, err)
		require.Equal(t, s, back)
	}
	require.Len(t, Signature(bytes.Repeat([]byte{255}, 64)).String(), 88, "the longest text")
	for _, bad := range []string{"", "0", strings.Repeat("1", 63), strings.Repeat("1", 65), strings.Repeat("1", 89), strings.Repeat("z", 88), strings.Repeat("0", 64)} {
		s, err := ParseSignature(bad)
		require.EqualError(t, err, fmt.Sprintf("invalid request: signature: %q is not the base58 of 64 bytes", bad))
		require.Zero(t, s)
		had := Signature{1}
		require.EqualError(t, had.UnmarshalText([]byte(bad)), err.Error())
		require.Equal(t, Signature{1}, had, "it is as it was")
		key := owner
		require.Error(t, key.UnmarshalText([]byte(bad)))
		require.Equal(t, owner, key)
	}
}

func TestLocalKeyTextBounds(t *testing.T) {
	private := privateOf("owner")
	array := keygenJSON(private)
	numbers := func(change func([]int)) []byte {
		all := make([]int, 64)
		for i, b := range private {
			all[i] = int(b)
		}
		change(all)
		text, err := json.Marshal(all)
		require.NoError(t, err)
		return text
	}
	// Keys whose bytes are at the ends of their range.
	for seed := range 256 {
		key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{byte(seed)}, 32))
		for _, text := range [][]byte{keygenJSON(key), []byte(base58.Encode(key)), []byte(" \n" + base58.Encode(key) + "\r\n")} {
			parsed, err := ParseLocalKey(text)
			require.NoError(t, err)
			require.Equal(t, PublicKey(key[32:]), parsed.PublicKey())
		}
	}
	for name, text := range map[string][]byte{
		"a number of 256":         numbers(func(all []int) { all[0] += 256 }),
		"a number below 0":        numbers(func(all []int) { all[0] -= 256 }),
		"256 itself":              numbers(func(all []int) { all[0] = 256 }),
		"-1":                      numbers(func(all []int) { all[0] = -1 }),
		"half an array":           array[:len(array)/2],
		"a bracket":               []byte("["),
		"nothing":                 nil,
		"base58 with a zero":      []byte("0" + base58.Encode(private)[1:]),
		"base58 of 63 bytes":      []byte(base58.Encode(private[:63])),
		"base58 of 65 bytes":      []byte(base58.Encode(append(bytes.Clone(private), 1))),
		"more than a key's text":  bytes.Repeat([]byte("1"), 89),
		"words":                   []byte("correct horse battery staple"),
		"sixty-three zero digits": bytes.Repeat([]byte("1"), 63),
	} {
		require.ErrorIs(t, wiretest.Error(ParseLocalKey(text)), errKeyText, name)
	}
	_, err := ParseLocalKey(bytes.Repeat([]byte("1"), 64))
	require.ErrorIs(t, err, errKeyPair, "64 bytes that are no key")

	path := filepath.Join(t.TempDir(), "id.json")
	padded := append(bytes.Repeat([]byte(" "), maxKeyFile-len(array)), array...)
	require.NoError(t, os.WriteFile(path, padded, 0o600))
	key, err := LoadLocalKey(path)
	require.NoError(t, err)
	require.Equal(t, owner, key.PublicKey())
	require.NoError(t, os.WriteFile(path, append(padded, ' '), 0o600))
	require.ErrorIs(t, wiretest.Error(LoadLocalKey(path)), errKeyText)
	folder := t.TempDir()
	_, err = LoadLocalKey(folder)
	require.ErrorContains(t, err, "signing: key file: ")
	which := wiretest.As[*os.PathError](t, err)
	require.Equal(t, "read", which.Op)
}

// A key file is its owner's alone, as ssh has it; what a link leads to counts.
func TestKeyFileIsPrivate(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "id.json"), filepath.Join(folder, "link.json")
	require.NoError(t, os.WriteFile(path, keygenJSON(privateOf("owner")), 0o600))
	require.NoError(t, os.Symlink(path, link))
	for _, mode := range []os.FileMode{0o600, 0o400, 0o700} {
		require.NoError(t, os.Chmod(path, mode))
		for _, name := range []string{path, link} {
			require.NoError(t, wiretest.Error(LoadLocalKey(name)), "%o", mode)
		}
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644} {
		require.NoError(t, os.Chmod(path, mode))
		key, err := LoadLocalKey(path)
		require.ErrorContains(t, err, path+" is open to its group or to others (mode 0"+strconv.FormatInt(int64(mode), 8)+")")
		require.NotContains(t, err.Error(), "a link to")
		require.Nil(t, key)
		require.ErrorContains(t, wiretest.Error(LoadLocalKey(link)), link+", a link to ")
		key, err = LoadLocalKey(link, AllowOpenKeyFile)
		require.NoError(t, err)
		require.Equal(t, owner, key.PublicKey())
	}
}

// A closed key has no private half left and signs nothing more, in none of its copies.
func TestLocalKeyCloses(t *testing.T) {
	key, err := NewLocalKey(privateOf("owner"))
	require.NoError(t, err)
	again := *key
	secret := key.secret().private
	require.NoError(t, key.Close())
	require.Equal(t, make([]byte, 64), []byte(secret))
	require.NoError(t, again.Close())
	for _, k := range []*LocalKey{key, &again} {
		require.ErrorIs(t, wiretest.Error(k.Sign(t.Context(), []byte("message"))), ErrKeyClosed)
		require.Equal(t, owner, k.PublicKey())
	}
	tx, err := DecodeBytes(ordinary(txbuild.Memo("x")).bytes(txbuild.V0))
	require.NoError(t, err)
	require.ErrorIs(t, SignUnchecked(t.Context(), tx, key), ErrKeyClosed)
}

func TestLocalKeySays(t *testing.T) {
	_, err := NewLocalKey(make([]byte, 3))
	require.EqualError(t, err, "signing: a private key has 64 bytes, not 3")
	_, err = NewLocalKeyFromSeed(make([]byte, 3))
	require.EqualError(t, err, "signing: a seed has 32 bytes, not 3")
	name := "LocalKey(" + owner.String() + ")"
	require.Equal(t, name, ownerKey.GoString())
	require.Equal(t, slog.StringValue(name), ownerKey.LogValue())
	b, err := ownerKey.MarshalJSON()
	require.EqualError(t, err, "signing: a LocalKey is not marshalled")
	require.Nil(t, b)
	require.Equal(t, "SOL (in lamports)", AssetName(NativeMint))
	require.Equal(t, usdc.String(), AssetName(usdc))
	require.Equal(t, []string{"legacy", "v0", "v1", "unknown"}, []string{Legacy.String(), V0.String(), V1.String(), Version(2).String()})
	k, err := ParsePublicKey("x")
	require.Error(t, err)
	require.Zero(t, k)
}

func TestGuardErrorReads(t *testing.T) {
	read := func(transaction, instruction int) string {
		e := &GuardError{Rule: RuleTip, Transaction: transaction, Instruction: instruction, Found: "a", Allowed: "b"}
		return e.Error()
	}
	const before, after = "refused by the signing guard", ": found a; allowed: b (rule G8)"
	assert.Equal(t, before+after, read(0, EnvelopeInstruction))
	assert.Equal(t, before+", instruction 1 of System"+after, read(0, 0))
	assert.Equal(t, before+", transaction 2"+after, read(1, EnvelopeInstruction))
	assert.Equal(t, -1, EnvelopeInstruction)
	assert.True(t, errors.Is(&GuardError{}, ErrRefused))
}
