package signing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func keygenJSON(private []byte) []byte {
	numbers := make([]int, len(private))
	for i, b := range private {
		numbers[i] = int(b)
	}
	text, _ := json.Marshal(numbers)
	return text
}

func TestLocalKeyLoads(t *testing.T) {
	private := privateOf("owner")
	path := filepath.Join(t.TempDir(), "id.json")
	require.NoError(t, os.WriteFile(path, append(keygenJSON(private), '\n'), 0o600))
	fromFile, err := LoadLocalKey(path)
	require.NoError(t, err)
	fromBase58, err := ParseLocalKey([]byte(base58.Encode(private)))
	require.NoError(t, err)
	fromBytes, err := NewLocalKey(private)
	require.NoError(t, err)
	fromSeed, err := NewLocalKeyFromSeed(private[:32])
	require.NoError(t, err)
	for _, key := range []*LocalKey{fromFile, fromBase58, fromBytes, fromSeed} {
		assert.Equal(t, owner, key.PublicKey())
		signature, err := key.Sign(t.Context(), []byte("message"))
		require.NoError(t, err)
		assert.True(t, signature.Verify(owner, []byte("message")))
	}
}

func TestLocalKeyCopies(t *testing.T) {
	private := bytes.Clone(privateOf("owner"))
	key, err := NewLocalKey(private)
	require.NoError(t, err)
	clear(private)
	signature, err := key.Sign(t.Context(), []byte("message"))
	require.NoError(t, err)
	assert.True(t, signature.Verify(owner, []byte("message")))
}

func TestLocalKeyRefuses(t *testing.T) {
	private := privateOf("owner")
	mixed := append(bytes.Clone(private[:32]), privateOf("other")[32:]...)
	long := keygenJSON(private)
	cases := map[string][]byte{
		"halves of two keys":        keygenJSON(mixed),
		"halves of two keys base58": []byte(base58.Encode(mixed)),
		"63 numbers":                keygenJSON(private[:63]),
		"65 numbers":                keygenJSON(append(bytes.Clone(private), 1)),
		"a number of 256":           []byte(strings.Replace(string(long), "[", "[256,", 1)),
		"a negative number":         bytes.Replace(long, []byte("["), []byte("[-1,"), 1),
		"base58 of a seed":          []byte(base58.Encode(private[:32])),
		"nothing":                   nil,
		"words":                     []byte(strings.Repeat("secret ", 12)),
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			key, err := ParseLocalKey(text)
			require.Error(t, err)
			assert.Nil(t, key)
			assert.NotContains(t, err.Error(), "secret")
			if len(text) > 8 {
				assert.NotContains(t, err.Error(), string(text[1:8]))
			}
		})
	}
	_, err := LoadLocalKey(filepath.Join(t.TempDir(), "absent.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
	big := filepath.Join(t.TempDir(), "big.json")
	require.NoError(t, os.WriteFile(big, make([]byte, maxKeyFile+1), 0o600))
	_, err = LoadLocalKey(big)
	require.Error(t, err)
}

func TestLocalKeyNeverPrints(t *testing.T) {
	private := privateOf("owner")
	type holder struct {
		key   LocalKey
		point *LocalKey
	}
	values := []any{ownerKey, *ownerKey, holder{*ownerKey, ownerKey}, &holder{*ownerKey, ownerKey},
		map[string]*LocalKey{"k": ownerKey}, []LocalKey{*ownerKey}}
	leaks := []string{fmt.Sprint([]byte(private[:8]))[1:20], base58.Encode(private)[:20], fmt.Sprintf("%x", private[:8]), fmt.Sprintf("%#v", []byte(private[:4]))[7:20]}
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	for _, v := range values {
		var text strings.Builder
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			fmt.Fprintf(&text, verb, v)
		}
		logger.Info("key", "key", v)
		b, _ := json.Marshal(v)
		for _, leak := range leaks {
			assert.NotContains(t, text.String()+log.String()+string(b), leak)
		}
	}
	assert.Equal(t, "LocalKey("+owner.String()+")", fmt.Sprint(ownerKey))
	_, err := json.Marshal(ownerKey)
	require.Error(t, err)
}

func TestKeysAsText(t *testing.T) {
	type both struct {
		Key       PublicKey
		Signature Signature
	}
	signature, err := ownerKey.Sign(t.Context(), nil)
	require.NoError(t, err)
	b, err := json.Marshal(both{owner, signature})
	require.NoError(t, err)
	assert.JSONEq(t, `{"Key":"`+owner.String()+`","Signature":"`+signature.String()+`"}`, string(b))
	var back both
	require.NoError(t, json.Unmarshal(b, &back))
	assert.Equal(t, both{owner, signature}, back)
	for _, bad := range []string{"", "0", strings.Repeat("1", 31), strings.Repeat("1", 33), strings.Repeat("z", 44), strings.Repeat("z", 1000)} {
		_, err := ParsePublicKey(bad)
		require.Error(t, err, bad)
		_, err = ParseSignature(bad)
		require.Error(t, err, bad)
	}
	assert.Panics(t, func() { MustPublicKey("nonsense") })
}

func TestGenerateLocalKey(t *testing.T) {
	one, err := GenerateLocalKey()
	require.NoError(t, err)
	two, err := GenerateLocalKey()
	require.NoError(t, err)
	assert.NotEqual(t, one.PublicKey(), two.PublicKey())
	signature, err := one.Sign(t.Context(), []byte("m"))
	require.NoError(t, err)
	assert.True(t, signature.Verify(one.PublicKey(), []byte("m")))
	for _, n := range []int{0, 31, 33, 64} {
		_, err = NewLocalKeyFromSeed(make([]byte, n))
		require.Error(t, err)
	}
	_, err = NewLocalKey(make([]byte, 32))
	require.Error(t, err)
	assert.Equal(t, "LocalKey()", fmt.Sprintf("%#v", LocalKey{}))
}
