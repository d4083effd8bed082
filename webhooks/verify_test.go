package webhooks_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

func verifier() *webhooks.Verifier {
	return &webhooks.Verifier{Secrets: []walletfi.Secret{secret}, Now: fixed}
}

func TestVerifies(t *testing.T) {
	for name, body := range map[string]string{
		"an object": string(evmBody), "an array": `[]`, "spaces within": "{\n \"a\" : 1 }\n", "not JSON": `{{{`,
		"many pieces": `{"a":"` + strings.Repeat("0123456789", 100_000) + `"}`,
	} {
		req := signer.Request(destination, []byte(body))
		read, err := verifier().Verify(req.Header, strings.NewReader(body))
		require.NoError(t, err, name)
		require.Equal(t, body, string(read), name)
		read, err = verifier().Verify(req.Header, iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(body[:min(len(body), 200)]))))
		if len(body) <= 200 {
			require.NoError(t, err, name)
			require.Equal(t, body, string(read), name)
		} else {
			require.ErrorIs(t, err, webhooks.ErrSignature, name)
		}
	}
}

// TestVerifiesIntoABuffer: behind what stands there, and without a copy where
// there is room.
func TestVerifiesIntoABuffer(t *testing.T) {
	header := signer.Request(destination, evmBody).Header
	for _, room := range []int{0, 5, 200_000} {
		dst := append(make([]byte, 0, 5+room), "stays"...)
		all, err := verifier().VerifyAppend(dst, header, bytes.NewReader(evmBody))
		require.NoError(t, err)
		require.Equal(t, "stays"+string(evmBody), string(all))
		if room > 100_000 {
			require.Same(t, &dst[0], &all[0])
		}
		v := verifier()
		v.MaxBody = int64(len(evmBody))
		_, err = v.VerifyAppend(all, header, bytes.NewReader(evmBody))
		require.NoError(t, err, "the bound is the body's")
	}
	_, err := verifier().VerifyAppend([]byte("{"), header, bytes.NewReader(evmBody[1:]))
	require.ErrorIs(t, err, webhooks.ErrSignature, "what stands there is not signed")
}

// TestBodiesAreApart: what one delivery returned is not written over by the
// next.
func TestBodiesAreApart(t *testing.T) {
	var all [][]byte
	for n := range 20 {
		body := fmt.Appendf(nil, `{"n":%d,"pad":"%s"}`, n, strings.Repeat(string(rune('a'+n)), 1000*n))
		read, err := verifier().Verify(signer.Request(destination, body).Header, bytes.NewReader(body))
		require.NoError(t, err)
		_, err = verifier().Verify(signer.Tampered(destination, body).Header, bytes.NewReader(bytes.ToUpper(body)))
		require.ErrorIs(t, err, webhooks.ErrSignature)
		all = append(all, read)
	}
	for n, body := range all {
		require.Equal(t, fmt.Sprintf(`{"n":%d,"pad":"%s"}`, n, strings.Repeat(string(rune('a'+n)), 1000*n)), string(body))
	}
}

// TestKnownSignature pins the formula to values that were made with openssl.
func TestKnownSignature(t *testing.T) {
	header := http.Header{}
	header.Set("x-webhook-nonce", "n-1")
	header.Set("x-webhook-timestamp", "1767225600")
	header.Set("x-webhook-signature", knownSignature)
	require.NoError(t, wiretest.Error(verifier().Verify(header, strings.NewReader(`{"a":1}`))))
	header.Set("x-webhook-signature", strings.ToUpper(knownSignature))
	_, err := verifier().Verify(header, strings.NewReader(`{"a":1}`))
	require.NoError(t, err, "hex in either case")
}

func TestRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		change func(http.Header)
		body   string
		want   error
	}{
		"another body":           {body: `{"a":2}`, want: webhooks.ErrSignature},
		"a longer body":          {body: `{"a":1} `, want: webhooks.ErrSignature},
		"no body":                {body: ``, want: webhooks.ErrSignature},
		"another signature":      {change: func(h http.Header) { h.Set(webhooks.HeaderSignature, strings.Repeat("ab", 32)) }, want: webhooks.ErrSignature},
		"a short signature":      {change: func(h http.Header) { h.Set(webhooks.HeaderSignature, h.Get(webhooks.HeaderSignature)[:62]) }, want: webhooks.ErrHeaders},
		"a long signature":       {change: func(h http.Header) { h.Set(webhooks.HeaderSignature, h.Get(webhooks.HeaderSignature)+"00") }, want: webhooks.ErrHeaders},
		"no hex":                 {change: func(h http.Header) { h.Set(webhooks.HeaderSignature, strings.Repeat("zz", 32)) }, want: webhooks.ErrHeaders},
		"a prefix":               {change: func(h http.Header) { h.Set(webhooks.HeaderSignature, "sha256="+h.Get(webhooks.HeaderSignature)) }, want: webhooks.ErrHeaders},
		"no signature":           {change: func(h http.Header) { h.Del(webhooks.HeaderSignature) }, want: webhooks.ErrHeaders},
		"no nonce":               {change: func(h http.Header) { h.Del(webhooks.HeaderNonce) }, want: webhooks.ErrHeaders},
		"no timestamp":           {change: func(h http.Header) { h.Del(webhooks.HeaderTimestamp) }, want: webhooks.ErrHeaders},
		"an empty nonce":         {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "") }, want: webhooks.ErrHeaders},
		"two nonces":             {change: func(h http.Header) { h.Add(webhooks.HeaderNonce, "x") }, want: webhooks.ErrHeaders},
		"two signatures":         {change: func(h http.Header) { h.Add(webhooks.HeaderSignature, h.Get(webhooks.HeaderSignature)) }, want: webhooks.ErrHeaders},
		"a nonce with {":         {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "a{") }, want: webhooks.ErrHeaders},
		"a nonce with [":         {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "[a") }, want: webhooks.ErrHeaders},
		"a nonce with a blank":   {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "a b") }, want: webhooks.ErrHeaders},
		"a nonce with a tab":     {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "a\tb") }, want: webhooks.ErrHeaders},
		"a nonce with a delete":  {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "a\x7fb") }, want: webhooks.ErrHeaders},
		"a nonce not ASCII":      {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "a\u00a0b") }, want: webhooks.ErrHeaders},
		"milliseconds":           {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "1767225600000") }, want: webhooks.ErrSignature},
		"nine digits":            {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "176722560") }, want: webhooks.ErrTimestamp},
		"a sign":                 {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "+767225600") }, want: webhooks.ErrHeaders},
		"a negative":             {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "-767225600") }, want: webhooks.ErrHeaders},
		"a letter":               {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "176722560x") }, want: webhooks.ErrHeaders},
		"an underscore":          {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "17672_5600") }, want: webhooks.ErrHeaders},
		"another timestamp":      {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "1767225601") }, want: webhooks.ErrSignature},
		"a timestamp of 1970":    {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "1") }, want: webhooks.ErrTimestamp},
		"a timestamp of 2286":    {change: func(h http.Header) { h.Set(webhooks.HeaderTimestamp, "9999999999") }, want: webhooks.ErrTimestamp},
		"a nonce that was moved": {change: func(h http.Header) { h.Set(webhooks.HeaderNonce, "x"+h.Get(webhooks.HeaderNonce)) }, want: webhooks.ErrSignature},
	} {
		t.Run(name, func(t *testing.T) {
			header := signer.Request(destination, []byte(`{"a":1}`)).Header
			body := `{"a":1}`
			if row.change != nil {
				row.change(header)
			} else {
				body = row.body
			}
			read, err := verifier().Verify(header, strings.NewReader(body))
			require.ErrorIs(t, err, row.want)
			require.Nil(t, read)
		})
	}
}

// TestBytesDoNotMove: every way to cut what was signed into nonce, timestamp
// and body elsewhere is refused, although the signature matches each.
func TestBytesDoNotMove(t *testing.T) {
	// The nonce ends in what could be a timestamp, the body begins with one.
	// A body without a bracket is taken only if it can begin nowhere else.
	for body, want := range map[string]int{
		`{"a":1}`: 1, `[1767225600,{"a":"1767225600"}]`: 1, `{"a":[{"b":1767225600}]}`: 1, `null`: 0, `"1767225600"`: 0,
	} {
		header := http.Header{}
		nonce, stamp := "n17672256001767225600", "1767225600"
		header.Set(webhooks.HeaderSignature, signature(nonce+stamp+body))
		all := nonce + stamp + body
		accepted := 0
		for i := range len(all) + 1 {
			for j := i; j <= len(all); j++ {
				header.Set(webhooks.HeaderNonce, all[:i])
				header.Set(webhooks.HeaderTimestamp, all[i:j])
				read, err := verifier().Verify(header, strings.NewReader(all[j:]))
				if err == nil {
					accepted++
					require.Equal(t, nonce, all[:i])
					require.Equal(t, body, string(read))
				}
			}
		}
		require.Equal(t, want, accepted, body)
	}
}

func TestWindow(t *testing.T) {
	for name, row := range map[string]struct {
		age   time.Duration
		limit time.Duration // MaxAge or MaxAhead
		ok    bool
	}{
		"now": {0, 0, true}, "the last retry": {2*time.Hour + 36*time.Minute, 0, true},
		"three hours": {3 * time.Hour, 0, true}, "and a second": {3*time.Hour + time.Second, 0, false},
		"ahead": {-5 * time.Minute, 0, true}, "too far ahead": {-5*time.Minute - time.Second, 0, false},
		"a narrow window": {time.Minute, time.Minute, true}, "past a narrow one": {time.Minute + time.Second, time.Minute, false},
		"narrowly ahead": {-time.Minute, time.Minute, true}, "past narrowly ahead": {-time.Minute - time.Second, time.Minute, false},
	} {
		v := verifier()
		v.MaxAge, v.MaxAhead = row.limit, row.limit
		_, err := v.Verify(signer.RequestAt(destination, evmBody, today.Add(-row.age)).Header, bytes.NewReader(evmBody))
		if row.ok {
			require.NoError(t, err, name)
		} else {
			require.ErrorIs(t, err, webhooks.ErrTimestamp, name)
		}
	}
	_, err := verifier().Verify(signer.Stale(destination, evmBody).Header, bytes.NewReader(evmBody))
	require.ErrorIs(t, err, webhooks.ErrTimestamp)
	unset := verifier()
	unset.Now = func() time.Time { return time.Time{} }
	_, err = unset.Verify(signer.Request(destination, evmBody).Header, bytes.NewReader(evmBody))
	require.ErrorIs(t, err, webhooks.ErrTimestamp, "a clock that was never set")
}

func TestRealClock(t *testing.T) {
	v := webhooks.Verifier{Secrets: []walletfi.Secret{secret}}
	_, err := v.Verify(webhooks.DeliverySigner{Secret: secret}.Request(destination, evmBody).Header, bytes.NewReader(evmBody))
	require.NoError(t, err)
	_, err = v.Verify(webhooks.DeliverySigner{Secret: secret}.Stale(destination, evmBody).Header, bytes.NewReader(evmBody))
	require.ErrorIs(t, err, webhooks.ErrTimestamp)
}

// TestTimestampForms: a verifier reads every form of the header.
func TestTimestampForms(t *testing.T) {
	for form, want := range map[webhooks.TimestampForm]string{
		webhooks.TimestampSeconds: "1767225600", webhooks.TimestampMilliseconds: "1767225600000", webhooks.TimestampRFC3339: "2026-01-01T00:00:00Z",
	} {
		v, s := verifier(), signer
		s.Timestamp = form
		req := s.Request(destination, evmBody)
		require.Equal(t, want, req.Header.Get(webhooks.HeaderTimestamp))
		require.NoError(t, wiretest.Error(v.Verify(req.Header, bytes.NewReader(evmBody))), want)
		_, err := v.Verify(s.Stale(destination, evmBody).Header, bytes.NewReader(evmBody))
		require.ErrorIs(t, err, webhooks.ErrTimestamp, want)
	}
	for stamp, want := range map[string]error{
		"1767225600000000": nil, "2026-01-01T02:00:00+0200": nil, "20260101T000000Z": nil, "2026-01-01 00:00": nil,
		"1767225600.5": webhooks.ErrHeaders, "-1767225600": webhooks.ErrHeaders, "1.7672256e9": webhooks.ErrHeaders, "noon": webhooks.ErrHeaders,
		"": webhooks.ErrHeaders, "253402300800000000": webhooks.ErrHeaders, "12026-01-01T00:00:00Z": webhooks.ErrHeaders,
	} {
		header := http.Header{
			webhooks.HeaderNonce: {"n1"}, webhooks.HeaderTimestamp: {stamp}, webhooks.HeaderSignature: {signature("n1" + stamp + string(evmBody))},
		}
		require.ErrorIs(t, wiretest.Error(verifier().Verify(header, bytes.NewReader(evmBody))), want, stamp)
	}
}

func TestRotation(t *testing.T) {
	old := webhooks.DeliverySigner{Secret: walletfi.NewSecret("whsec_0"), Now: fixed}
	v := verifier()
	_, err := v.Verify(old.Request(destination, evmBody).Header, bytes.NewReader(evmBody))
	require.ErrorIs(t, err, webhooks.ErrSignature)
	v.Secrets = append(v.Secrets, walletfi.NewSecret("whsec_other"), old.Secret)
	for _, s := range []webhooks.DeliverySigner{old, signer} {
		read, err := v.Verify(s.Request(destination, evmBody).Header, bytes.NewReader(evmBody))
		require.NoError(t, err)
		require.Equal(t, evmBody, read)
		_, err = v.Verify(s.Tampered(destination, evmBody).Header, bytes.NewReader(append(evmBody[:len(evmBody):len(evmBody)], ' ')))
		require.ErrorIs(t, err, webhooks.ErrSignature)
	}
}

func TestBodyBounds(t *testing.T) {
	body := `{"a":"` + strings.Repeat("x", 1000) + `"}`
	header := signer.Request(destination, []byte(body)).Header
	v := verifier()
	for limit, want := range map[int64]error{1: webhooks.ErrTooLarge, int64(len(body)) - 1: webhooks.ErrTooLarge, int64(len(body)): nil, 1<<63 - 1: nil} {
		v.MaxBody = limit
		require.ErrorIs(t, wiretest.Error(v.Verify(header, strings.NewReader(body))), want)
	}
	v.MaxBody = 1000
	require.ErrorIs(t, wiretest.Error(v.Verify(header, &endless{t: t, most: 100_000})), webhooks.ErrTooLarge)
	header.Set("Content-Length", "9000000000000000000")
	v.MaxBody = 1<<63 - 1
	_, err := v.Verify(header, strings.NewReader(body))
	require.NoError(t, err, "a header's word is not taken for room")

	_, err = verifier().Verify(header, iotest.ErrReader(errDown))
	require.ErrorIs(t, err, webhooks.ErrBody)
	require.ErrorIs(t, err, errDown)
}

// endless fails the test where more is read of it than is of use.
type endless struct {
	t    *testing.T
	most int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.most -= len(b); e.most < 0 {
		e.t.Error("read on after it was too large")
		return 0, io.EOF
	}
	return len(b), nil
}

// TestBodyForm: a body of any form is returned.
func TestBodyForm(t *testing.T) {
	for _, body := range []string{``, ` {}`, `"a"`, `1`, "\xef\xbb\xbf{}"} {
		got, err := verifier().Verify(signer.Request(destination, []byte(body)).Header, strings.NewReader(body))
		require.NoError(t, err, "%q", body)
		require.Equal(t, body, string(got))
	}
}

func TestVerifierRefused(t *testing.T) {
	for name, change := range map[string]func(*webhooks.Verifier){
		"no secret":       func(v *webhooks.Verifier) { v.Secrets = nil },
		"an empty secret": func(v *webhooks.Verifier) { v.Secrets = append(v.Secrets, walletfi.Secret{}) },
		"age":             func(v *webhooks.Verifier) { v.MaxAge = -1 },
		"ahead":           func(v *webhooks.Verifier) { v.MaxAhead = -1 },
		"body":            func(v *webhooks.Verifier) { v.MaxBody = -1 },
	} {
		v := verifier()
		change(v)
		_, err := v.Verify(signer.Request(destination, evmBody).Header, bytes.NewReader(evmBody))
		problem := wiretest.As[*walletfi.ValidationError](t, err, name)
		_, err = webhooks.NewReceiver(webhooks.ReceiverConfig{Verifier: *v, Handler: (&rig{}).handle})
		require.ErrorAs(t, err, &problem, name)
	}
}

// FuzzVerify: of all cuts of what was signed, and of all that was not, only
// the one that was signed is taken.
func FuzzVerify(f *testing.F) {
	f.Add("n1", "1767225600", []byte(`{"a":1}`), uint16(2), uint16(12), "")
	f.Add("1767225600", "1767225600", []byte(`[{}]`), uint16(0), uint16(10), "")
	f.Add("n1", "1767225600", []byte(`{}`), uint16(2), uint16(12), strings.Repeat("0", 64))
	f.Add("00", "1767217000", []byte("0"), uint16(2), uint16(12), "0") // signed, and begins with no bracket
	f.Add("n{", "17672256001", []byte(` {}`), uint16(1), uint16(11), "zz")
	f.Fuzz(func(t *testing.T, nonce, stamp string, body []byte, i, j uint16, other string) {
		all := nonce + stamp + string(body)
		from := min(int(i), len(all))
		to := min(max(int(j), from), len(all))
		header := http.Header{
			webhooks.HeaderNonce: {all[:from]}, webhooks.HeaderTimestamp: {all[from:to]}, webhooks.HeaderSignature: {signature(all)},
		}
		read, err := verifier().Verify(header, strings.NewReader(all[to:]))
		if err != nil {
			require.Nil(t, read)
			require.True(t, isRefusal(err), err)
			return
		}
		require.Equal(t, all[to:], string(read))
		if strings.HasPrefix(all[to:], "{") || strings.HasPrefix(all[to:], "[") {
			require.Equal(t, to, strings.IndexAny(all, "{["), "the body begins at the first bracket")
		} else {
			require.Equal(t, []int{to}, cuts(t, all), "the body can begin nowhere else")
		}
		header.Set(webhooks.HeaderSignature, other)
		if !strings.EqualFold(other, signature(all)) {
			require.Error(t, wiretest.Error(verifier().Verify(header, strings.NewReader(all[to:]))))
		}
	})
}

// cuts are where a body may begin that is taken, in all that was signed.
func cuts(t *testing.T, all string) []int {
	t.Helper()
	var found []int
	for to := range len(all) + 1 {
		for from := range to {
			header := http.Header{
				webhooks.HeaderNonce: {all[:from]}, webhooks.HeaderTimestamp: {all[from:to]},
				webhooks.HeaderSignature: {signature(all)},
			}
			if wiretest.Error(verifier().Verify(header, strings.NewReader(all[to:]))) == nil {
				found = append(found, to)
			}
		}
	}
	return slices.Compact(found)
}

func isRefusal(err error) bool {
	for _, known := range []error{webhooks.ErrBody, webhooks.ErrHeaders, webhooks.ErrSignature, webhooks.ErrTimestamp, webhooks.ErrTooLarge} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

const knownSignature = "f800d8474fe2f9ca29c1113ad1f4d31a14b9b12f4118af9d65fe78d454673e32"

// signature signs a text with the rig's secret, apart from the package's way.
func signature(text string) string {
	mac := hmac.New(sha256.New, []byte(secret.Reveal()))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// TestSignatureOfAnotherLength: the hex of 32 bytes, all of it.
func TestSignatureOfAnotherLength(t *testing.T) {
	for _, change := range []func(string) string{
		func(s string) string { return s + "0" }, func(s string) string { return s + "x" }, func(s string) string { return s + "00" },
		func(s string) string { return s[:62] }, func(string) string { return "" },
	} {
		req := signer.Request(destination, evmBody)
		req.Header.Set(webhooks.HeaderSignature, change(req.Header.Get(webhooks.HeaderSignature)))
		_, err := verifier().Verify(req.Header, bytes.NewReader(evmBody))
		require.ErrorIs(t, err, webhooks.ErrHeaders)
		require.ErrorContains(t, err, "is not the hex of 32 bytes")
	}
}
