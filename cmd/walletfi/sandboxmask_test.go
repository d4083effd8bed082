package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRecordMasksSecrets: a secret is in no fixture, whatever it came in and however it is written again.
func TestRecordMasksSecrets(t *testing.T) {
	const secret = "s3cr3t+/v4lue=="
	apiKey := []string{"X-Api-Key", secret}
	for name, c := range map[string]struct {
		path, sent, answer string
		headers            []string
	}{
		"member token":         {answer: `{"token":"` + secret + `"}`},
		"member secretKey":     {answer: `{"secretKey":"` + secret + `"}`},
		"member privateKey":    {answer: `{"privateKey" : "` + secret + `"}`},
		"member session token": {answer: `{"session_token":"` + secret + `"}`},
		"array":                {answer: `{"apiKeys":["x","` + secret + `"]}`},
		"object":               {answer: `{"key":{"id":1,"value":"` + secret + `"}}`},
		"an escaped name":      {answer: `{"secretKe\u0079":"` + secret + `"}`},
		"JSON in a string":     {answer: `{"body":"{\"apiKey\":\"` + secret + `\"}"}`},
		"lines":                {answer: `{"a":1}` + "\n" + `{"key":"` + secret + `"}`},
		"cut off":              {answer: `{"a":"x","secret":"` + secret},
		"too long":             {answer: `{"a":"` + strings.Repeat("x", mostRecorded-30) + `","secret":"` + secret + `"}`},
		"form":                 {sent: "user=a&password=" + secret, answer: "{}"},
		"query":                {path: "?a=b&sessionToken=" + url.QueryEscape(secret), answer: "{}"},
		"address in an answer": {answer: `{"next":"/x?page=2\u0026token=` + url.QueryEscape(secret) + `"}`},
		"echo in query form":   {answer: `{"next":"/x?t=` + url.QueryEscape(secret) + `"}`, headers: apiKey},
		"echo with JSON escapes": {
			answer: `{"a":"` + strings.NewReplacer("/", `\/`, "+", `\u002B`).Replace(secret) + `"}`, headers: apiKey,
		},
		"echo in the path":     {path: "/" + url.PathEscape(secret), answer: "{}", headers: apiKey},
		"in another parameter": {path: "?q=" + url.QueryEscape(secret), answer: "{}", headers: apiKey},
		"a cookie's value":     {answer: `{"x":"` + secret + `"}`, headers: []string{"Cookie", "a=b; s=" + secret}},
		"header X-Auth":        {answer: `{"you":"` + secret + `"}`, headers: []string{"X-Auth", secret}},
		"bearer":               {answer: `{"you":"` + secret + `"}`, headers: []string{"Authorization", "Bearer " + secret}},
		"basic":                {answer: `{"you":"s3cr3t"}`, headers: []string{"Authorization", "Basic YTpzM2NyM3Q="}},
		"number":               {sent: `{"otp":4711987}`, answer: `{"left":4711987}`},
	} {
		t.Run(name, func(t *testing.T) {
			at, keeper := recording(t, "", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, c.answer) })
			answerOf(t, "POST", at+"/v1/x"+c.path, c.sent, c.headers...)
			said := fixtureText(t, keeper)
			assert.NotContains(t, said, "s3cr3t")
			assert.NotContains(t, said, "v4lue")
			assert.NotContains(t, said, "4711987")
		})
	}
}

// TestRecordMasksWhatCameEarlier: the answer that issues a token comes before the token does in a header.
func TestRecordMasksWhatCameEarlier(t *testing.T) {
	at, keeper := recording(t, "", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":{"issued":"eyJhbGciOi.signed"}}`)
	})
	answerOf(t, "POST", at+"/v1/sign-in", `{}`)
	answerOf(t, "GET", at+"/v1/me", ``, "Authorization", "Bearer eyJhbGciOi.signed")
	assert.NotContains(t, fixtureText(t, keeper), "eyJhbGciOi.signed")
}

// TestRecordLeavesWhatIsNone: what is short, public or no credential stays, and masked JSON is JSON of its kinds.
func TestRecordLeavesWhatIsNone(t *testing.T) {
	const answer = `{"amount":1000123456,"ok":true,"key":null,"userPublicKey":"abcdefgh","n":[1,"123456"],"secrets":[1,true,"x"]}`
	at, keeper := recording(t, "", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, answer) })
	answerOf(t, "POST", at+"/v1/x?next_token=page-two", `{}`,
		"Idempotency-Key", "1000123456", "X-Other-Key", "1", "X-Api-Key", "123456", "Authorization", "Bearer true")
	f := keeper.fixtures()[0]
	assert.Equal(t, []string{"Authorization", "X-Api-Key", "X-Other-Key"}, f.Keys)
	assert.Equal(t, "/v1/x?next_token=page-two", f.Path)
	assert.Equal(t,
		`{"amount":1000999999,"ok":true,"key":null,"userPublicKey":"abcdefgh","n":[1,"999999"],"secrets":[0,true,"***"]}`,
		f.Answer)
	assert.Equal(t, kindsOf([]byte(answer)), kindsOf([]byte(f.Answer)))
}

// TestSecretsLongestFirst: of two secrets of which one begins the other, nothing of the longer one is left.
func TestSecretsLongestFirst(t *testing.T) {
	found := secrets{}
	found.learn("abcdef", "abcdefghij", "abcdef", "short")
	assert.Equal(t, "a ***|***x|short ***", found.hide("a abcdefghij|abcdefx|short abcdef"))
	assert.Equal(t, `"***" ***`, found.hide(`"\u0061bcdef" abc%2564ef`))
}

func fixtureText(t *testing.T, keeper *recorder) string {
	t.Helper()
	all := keeper.fixtures()
	require.NotEmpty(t, all)
	var text strings.Builder
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	require.NoError(t, lines.Encode(all))
	return text.String()
}
