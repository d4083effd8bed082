package peer

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMask(t *testing.T) {
	const key = `k3y"/+&<é \z`
	quoted, err := json.Marshal(key)
	require.NoError(t, err)
	escaped := string(quoted[1 : len(quoted)-1])
	tests := []struct {
		name, text, want string
		secrets          []string
	}{
		{"nothing to hide", "plain", "plain", nil},
		{"empty secrets", "plain", "plain", []string{""}},
		{"absent", "plain text", "plain text", []string{"secret-1"}},
		{"once", "key abcdef-1 is wrong", "key [secret] is wrong", []string{"abcdef-1"}},
		{"everywhere", "abcdefabcdef,abcdef", "[secret][secret],[secret]", []string{"abcdef"}},
		{"several", "abcdef and 123456", "[secret] and [secret]", []string{"123456", "abcdef"}},
		{"as it is", "<" + key + ">", "<[secret]>", []string{key}},
		{"query", "?k=" + url.QueryEscape(key) + "&x=1", "?k=[secret]&x=1", []string{key}},
		{"path", "/" + url.PathEscape(key) + "/x", "/[secret]/x", []string{key}},
		{"lower case hex", strings.ToLower(url.QueryEscape(key)), "[secret]", []string{key}},
		{"every byte in percents", "%61%62%63%64%65%66", "[secret]", []string{"abcdef"}},
		{"JSON", `{"k":"` + escaped + `"}`, `{"k":"[secret]"}`, []string{key}},
		{"JSON, slash escaped", `"k3y\"\/+&<\u00E9 \\z"`, `"[secret]"`, []string{key}},
		{"JSON, all escaped", `"\u0061\u0062\u0063\u0064\u0065\u0066"`, `"[secret]"`, []string{"abcdef"}},
		{"JSON, pair of surrogates", `"pass\ud83d\ude00word"`, `"[secret]"`, []string{"pass😀word"}},
		{"HTML", "<p>" + html.EscapeString(key) + "</p>", "<p>[secret]</p>", []string{key}},
		{"HTML, numbered", "&#97;&#x62;cdef", "[secret]", []string{"abcdef"}},
		{"base64", "Basic " + base64.StdEncoding.EncodeToString([]byte("abc>>>??>d")), "Basic [secret]==", []string{"abc>>>??>d"}},
		{"base64 for URLs", base64.RawURLEncoding.EncodeToString([]byte("abc>>>??>d")), "[secret]", []string{"abc>>>??>d"}},
		{"base64 that starts with a slash", base64.URLEncoding.EncodeToString([]byte("\xff\xff\xffabcdef")), "[secret]", []string{"\xff\xff\xffabcdef"}},
		{"one within another", "x abcdef-long-key y", "x [secret] y", []string{"abcdef", "abcdef-long-key"}},
		{"one inside another", "x long-abcdef-key y", "x [secret] y", []string{"abcdef", "long-abcdef-key"}},
		{"overlapping", "x abcdefghi y", "x [secret] y", []string{"abcdef", "defghi"}},
		{"cut off at the end", "token abcdef-lo", "token [secret]", []string{"abcdef-long-key"}},
		{"cut off after a few", "token abcde", "token abcde", []string{"abcdef-long-key"}},
		{"one-time code", `code 123456 in "123456"`, `code [secret] in "[secret]"`, []string{"123456"}},
		{"short alone", `{"pin":"1234","n":1234,"x":"12345"}`, `{"pin":"[secret]","n":1234,"x":"12345"}`, []string{"1234"}},
		{"short in JSON in a string", `{"x":"{\"pin\":\"1234\"}"}`, `{"x":"{\"pin\":\"[secret]\"}"}`, []string{"1234"}},
		{"short in JSON that was cut", `{"pin":"1234","n":12`, `{"pin":"[secret]","n":12`, []string{"1234"}},
		{"a number stays JSON", `{"otp": 123456,"at":[7123456.5e1]}`, `{"otp": "[secret]","at":["[secret]"]}`, []string{"123456"}},
		{"JSON of several values", `{"key":{"id":"abc","k":"def"}}`, `{"key":[secret]}`, []string{`{"id":"abc","k":"def"}`}},
		{"not the start of one in a value", `["abcdef-lo"]`, `["abcdef-lo"]`, []string{"abcdef-long-key"}},
		{"bytes that are no text", "a\xff\xfe\xfd\xfc\xfb\xfab", "a[secret]b", []string{"\xff\xfe\xfd\xfc\xfb\xfa"}},
		{"half a character at the end", "000000\xc6\x91", "[secret]\x91", []string{"000000\xc6"}},
		{"half a character behind an escape", "0000&#34;0\xce\xb8", "[secret]\xb8", []string{"0000\"0\xce"}},
		{"almost escapes", `\u00zz % %4 \ &amp &;`, `\u00zz % %4 \ &amp &;`, []string{`zzzzzz`, "&&&&&&", "%%%%%%", `\\\\\\`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, NewMask(tt.secrets).Text(tt.text))
		})
	}
}

func TestExcerpt(t *testing.T) {
	const secret = "abcdefghijklmnop"
	assert.Nil(t, (*Mask)(nil).Excerpt(nil))
	assert.Equal(t, "short [secret]", string(NewMask([]string{secret}).Excerpt([]byte("short "+secret))))

	// Wherever the secret lies about the cut, no part of it is left.
	for start := MaxExcerpt - 2*len(secret); start <= MaxExcerpt; start++ {
		body := strings.Repeat(".", start) + secret + strings.Repeat(".", 100)
		got := string(NewMask([]string{secret}).Excerpt([]byte(body)))
		require.LessOrEqual(t, len(got), MaxExcerpt)
		require.NotContains(t, got, "ab", start)
		require.NotContains(t, got, "op", start)
	}
	// Masks that are shorter than the secrets do not pull one into sight.
	many := strings.Repeat(secret, 1000)
	assert.Empty(t, strings.ReplaceAll(string(NewMask([]string{secret}).Excerpt([]byte(many))), masking, ""))
	// Masks that are longer than the secrets do not exceed the bound.
	assert.Len(t, NewMask([]string{"abcdef"}).Excerpt([]byte(strings.Repeat("abcdef", 1000))), MaxExcerpt)
}

func TestExcerptKeepsCharactersWhole(t *testing.T) {
	for shift := range 4 {
		body := strings.Repeat("x", shift) + strings.Repeat("😀", 2000)
		got := NewMask([]string{"secret-1"}).Excerpt([]byte(body))
		assert.True(t, utf8.Valid(got), shift)
		assert.Greater(t, len(got), MaxExcerpt-utf8.UTFMax)
	}
	body := []byte("abc\xf0\x9f")
	assert.Equal(t, body, (*Mask)(nil).Excerpt(body), "what was not cut is as it came")
	(*Mask)(nil).Excerpt(body)[0] = 'X'
	assert.Equal(t, byte('a'), body[0], "the excerpt is a copy")
}

func FuzzMask(f *testing.F) {
	f.Add("before", "secret-key", "after", uint8(0))
	f.Add(`{"k":"`, `a"b\c/d+e`, `"}`, uint8(1))
	f.Add("?k=", "a b&c=d%e", "&x", uint8(2))
	f.Add("<p>", "a<b>&c'd\"", "</p>", uint8(3))
	f.Add("Basic ", "\xff\xfe\xfdabc>>>", "==", uint8(4))
	f.Add("0", "&&0&&0", "0", uint8(3))
	f.Add("😀", "pässwörd😀", "\xf0\x9f", uint8(5))
	f.Fuzz(func(t *testing.T, before, secret, after string, form uint8) {
		if len(secret) < minSecret || strings.Contains(masking, secret) {
			return
		}
		shown := secret
		switch form % 6 {
		case 1:
			quoted, err := json.Marshal(secret)
			require.NoError(t, err)
			if !utf8.ValidString(secret) {
				return // JSON cannot carry it
			}
			shown = string(quoted[1 : len(quoted)-1])
		case 2:
			shown = url.QueryEscape(secret)
		case 3:
			if shown = html.EscapeString(secret); html.UnescapeString(shown) != secret {
				return
			}
		case 4:
			shown = base64.URLEncoding.EncodeToString([]byte(secret))
			shown = strings.TrimRight(shown, "=")
		case 5:
			shown = url.PathEscape(secret)
		}
		if form%6 != 0 && strings.ContainsAny(before[max(0, len(before)-12):], `\%&`) {
			return // what is before the secret can be an escape with its first bytes
		}
		got := NewMask([]string{secret}).Text(before + shown + after)
		require.Contains(t, got, masking)
		if form%6 == 0 {
			for part := range strings.SplitSeq(got, masking) {
				require.NotContains(t, part, secret)
			}
		}
		kept := NewMask([]string{secret}).Excerpt([]byte(before + shown + after))
		require.LessOrEqual(t, len(kept), MaxExcerpt)
	})
}

func BenchmarkExcerpt(b *testing.B) {
	body := []byte(strings.Repeat(`{"error":{"code":"BAD","message":"no such mint"}},`, 1000))
	secrets := []string{"sk_live_0123456789abcdef", strings.Repeat("jwt-", 200)}
	b.ReportAllocs()
	for b.Loop() {
		if len(NewMask(secrets).Excerpt(body)) != MaxExcerpt {
			b.Fatal("not cut")
		}
	}
}
