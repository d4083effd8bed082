package pkcs11_test

import (
	"bytes"
	"testing"

	cryptoki "github.com/miekg/pkcs11"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer/pkcs11"
	"github.com/walletfi/walletfi-go/signer/signertest"
	"github.com/walletfi/walletfi-go/signing"
)

func TestKey(t *testing.T) {
	token := newRig(t).open(t)
	made, err := token.Make(t.Context(), "bot")
	require.NoError(t, err)
	signertest.Backend(t, func(t *testing.T) signing.Signer {
		key, err := token.Key(t.Context(), pkcs11.Name{Label: "bot"})
		require.NoError(t, err)
		return key
	})
	for _, n := range []pkcs11.Name{{}, {ID: made.Name().ID}, {Public: made.PublicKey()}, made.Name()} {
		key, err := token.Key(t.Context(), n)
		require.NoError(t, err, n)
		assert.Equal(t, made.PublicKey(), key.PublicKey())
	}
	for _, n := range []pkcs11.Name{{Label: "bo"}, {ID: []byte("x")}, {Public: signing.PublicKey{1}}} {
		_, err := token.Key(t.Context(), n)
		require.ErrorContains(t, err, "has 0 keys of", n)
	}
	held, err := token.List(t.Context())
	require.NoError(t, err)
	require.Len(t, held, 1)
	assert.Equal(t, pkcs11.Held{Label: "bot", ID: made.Name().ID, Public: made.PublicKey()}, held[0])
}

// TestNotExtractable tries what PKCS#11 has to get a key out.
func TestNotExtractable(t *testing.T) {
	r := newRig(t)
	r.withKey(t)
	session := r.session(t)
	keys := r.objects(t, session, cryptoki.CKO_PRIVATE_KEY, "bot")
	require.Len(t, keys, 1)
	refused := func(err error, codes ...uint) {
		t.Helper()
		code, ok := err.(cryptoki.Error)
		require.True(t, ok, "%v", err)
		assert.Contains(t, codes, uint(code))
	}
	_, err := r.raw.GetAttributeValue(session, keys[0],
		[]*cryptoki.Attribute{cryptoki.NewAttribute(cryptoki.CKA_VALUE, nil)})
	refused(err, cryptoki.CKR_ATTRIBUTE_SENSITIVE)
	wrapping, err := r.raw.GenerateKey(session,
		[]*cryptoki.Mechanism{cryptoki.NewMechanism(cryptoki.CKM_AES_KEY_GEN, nil)},
		[]*cryptoki.Attribute{
			cryptoki.NewAttribute(cryptoki.CKA_VALUE_LEN, 32), cryptoki.NewAttribute(cryptoki.CKA_WRAP, true),
		})
	require.NoError(t, err)
	for _, how := range []uint{cryptoki.CKM_AES_KEY_WRAP, cryptoki.CKM_AES_KEY_WRAP_PAD} {
		_, err = r.raw.WrapKey(session, []*cryptoki.Mechanism{cryptoki.NewMechanism(how, nil)}, wrapping, keys[0])
		refused(err, cryptoki.CKR_KEY_UNEXTRACTABLE)
	}
	for kind, value := range map[uint]bool{cryptoki.CKA_EXTRACTABLE: true, cryptoki.CKA_SENSITIVE: false} {
		change := []*cryptoki.Attribute{cryptoki.NewAttribute(kind, value)}
		refused(r.raw.SetAttributeValue(session, keys[0], change), cryptoki.CKR_ATTRIBUTE_READ_ONLY)
		_, err := r.raw.CopyObject(session, keys[0], change)
		refused(err, cryptoki.CKR_ATTRIBUTE_READ_ONLY, cryptoki.CKR_TEMPLATE_INCONSISTENT)
	}
}

func TestExposedKeys(t *testing.T) {
	for _, c := range []struct {
		kind  uint
		value bool
		why   string
	}{
		{cryptoki.CKA_EXTRACTABLE, true, "it can be extracted"},
		{cryptoki.CKA_SENSITIVE, false, "it is not sensitive"},
		{cryptoki.CKA_PRIVATE, false, "it can be used without a login"},
	} {
		t.Run(c.why, func(t *testing.T) {
			r := newRig(t)
			token := r.open(t)
			r.generate(t, "old", "1", map[uint]bool{c.kind: c.value})
			_, err := token.Key(t.Context(), pkcs11.Name{Label: "old"})
			require.ErrorContains(t, err, c.why)
			held, err := token.List(t.Context())
			require.NoError(t, err)
			require.Len(t, held, 1)
			assert.Equal(t, c.why, held[0].Exposed)
			assert.Equal(t, c.kind == cryptoki.CKA_EXTRACTABLE, held[0].Elsewhere)
			require.NoError(t, token.Close())
			r.cfg.AllowExposed = true
			_, err = r.open(t).Key(t.Context(), pkcs11.Name{Label: "old"})
			require.NoError(t, err)
		})
	}
}

func TestKeyThatWantsThePINEachTime(t *testing.T) {
	r := newRig(t)
	token := r.open(t)
	r.generate(t, "old", "1", map[uint]bool{cryptoki.CKA_ALWAYS_AUTHENTICATE: true})
	_, err := token.Key(t.Context(), pkcs11.Name{Label: "old"})
	require.ErrorContains(t, err, "wants the PIN for each signature")
}

func TestAmbiguousKeys(t *testing.T) {
	r := newRig(t)
	token := r.open(t)
	first, err := token.Make(t.Context(), "bot")
	require.NoError(t, err)
	_, err = token.Make(t.Context(), "bot")
	require.ErrorContains(t, err, `has a key labelled "bot"`)
	_, err = token.Make(t.Context(), "")
	require.ErrorContains(t, err, "must have a label")
	r.generate(t, "bot", "1", nil)
	_, err = token.Key(t.Context(), pkcs11.Name{Label: "bot"})
	require.ErrorContains(t, err, "has 2 keys of")
	_, err = token.Key(t.Context(), pkcs11.Name{Label: "bot", ID: []byte("1")})
	require.NoError(t, err)
	_, err = token.Key(t.Context(), pkcs11.Name{Label: "bot", Public: first.PublicKey()})
	require.NoError(t, err)
	r.generate(t, "another", "1", nil) // whose public key has the same ID
	_, err = token.Key(t.Context(), pkcs11.Name{Label: "another"})
	require.ErrorContains(t, err, "no public key beside it, or more than one")
}

// TestForeignPublicKey: the public key that lies beside a private one is that of another.
func TestForeignPublicKey(t *testing.T) {
	r := newRig(t)
	token := r.open(t)
	r.generate(t, "mine", "1", nil)
	r.generate(t, "other", "2", nil)
	session := r.session(t)
	for _, public := range r.objects(t, session, cryptoki.CKO_PUBLIC_KEY, "mine") {
		require.NoError(t, r.raw.DestroyObject(session, public))
	}
	_, err := token.Key(t.Context(), pkcs11.Name{Label: "mine"})
	require.ErrorContains(t, err, "no public key beside it")
	others := r.objects(t, session, cryptoki.CKO_PUBLIC_KEY, "other")
	require.Len(t, others, 1)
	require.NoError(t, r.raw.SetAttributeValue(session, others[0],
		[]*cryptoki.Attribute{cryptoki.NewAttribute(cryptoki.CKA_ID, "1")}))
	_, err = token.Key(t.Context(), pkcs11.Name{Label: "mine"})
	require.ErrorContains(t, err, "its signature is not that of its public key")
}

// TestCurves: a token that knows the curve by its name alone.
func TestCurves(t *testing.T) {
	r := newRig(t)
	token := r.open(t)
	r.fails["GenerateKeyPair"] = []error{cryptoki.Error(cryptoki.CKR_CURVE_NOT_SUPPORTED)}
	_, err := token.Make(t.Context(), "bot")
	require.NoError(t, err)
	assert.Equal(t, 2, r.count("GenerateKeyPair"))
	r.fails["GenerateKeyPair"] = []error{cryptoki.Error(cryptoki.CKR_DEVICE_MEMORY)}
	_, err = token.Make(t.Context(), "other")
	require.ErrorContains(t, err, "CKR_DEVICE_MEMORY")
	assert.Equal(t, 3, r.count("GenerateKeyPair"))
}

// TestLostAfterMake: the session is lost when the key was made and not yet found.
func TestLostAfterMake(t *testing.T) {
	r := newRig(t)
	token := r.open(t)
	r.fails["SignInit"] = []error{cryptoki.Error(cryptoki.CKR_SESSION_CLOSED)}
	key, err := token.Make(t.Context(), "bot")
	require.NoError(t, err)
	signed(t, key, "message")
	assert.Equal(t, 1, r.count("GenerateKeyPair"))
}

func TestParsePoint(t *testing.T) {
	point := bytes.Repeat([]byte{7}, 32)
	for _, raw := range [][]byte{point, append([]byte{4, 32}, point...)} {
		got, ok := pkcs11.ParsePoint(raw)
		require.True(t, ok)
		require.Equal(t, signing.PublicKey(point), got)
	}
	for _, raw := range [][]byte{nil, point[1:], append([]byte{4}, point...), append([]byte{3, 32}, point...),
		append([]byte{4, 33}, point...), append([]byte{4, 32, 0}, point...), bytes.Repeat([]byte{7}, 57)} {
		_, ok := pkcs11.ParsePoint(raw)
		require.False(t, ok, "%x", raw)
	}
}
