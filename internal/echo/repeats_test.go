package echo_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// TestRepeats: every member that repeats what was sent is compared, each time that it comes.
func TestRepeats(t *testing.T) {
	const sent = `{"name":"n","amount":"5","on":false,"mint":"` + walletfi.NativeMint + `","at":"2027-01-02T12:30:00.5Z","day":"2027-01-02",
		"url":"https://example.com","hex":"0xAb","list":["a","b"],"deep":{"x":[{"y":1}],"z":"q"},"none":null,"empty":""}`
	for answer, fields := range map[string]string{
		`{}`: "", `[]`: "", `"x"`: "", `7`: "", `null`: "", `{"name":`: "",
		`{"name":"n","amount":5,"on":"false","extra":"x","none":"x","empty":"x"}`:           "",
		`{"name":null,"amount":"","on":"","list":"","deep":"","at":"","day":"","empty":""}`: "",
		`{"name":"","hex":"","deep":{"z":""}}`:                                              "name hex deep.z",
		`{"name":{},"amount":[1],"on":{},"list":"a","deep":7,"at":{}}`:                      "",
		`{"amount":"soon","at":"soon","day":"soon"}`:                                        "",
		`{"mint":"So11111111111111111111111111111111111111111"}`:                            "",
		`{"at":"2027-01-02T12:30:00Z","day":"2027-01-02T00:00:00Z"}`:                        "",
		`{"at":"2027-01-02T13:30:00.500+01:00","day":"2027-01-02"}`:                         "",
		`{"at":"2027-01-02"}`:                                   "",
		`{"at":1798893000}`:                                     "",
		`{"url":"https://EXAMPLE.com/","hex":"0xaB"}`:           "",
		`{"list":["b","a","a"],"deep":{"x":[{"y":"1","w":2}]}}`: "",
		`{"name":"N"}`:                                          "name",
		`{"name":7}`:                                            "name",
		`{"amount":50}`:                                         "amount",
		`{"amount":"5.5"}`:                                      "amount",
		`{"amount":-5}`:                                         "amount",
		`{"amount":5,"amount":6}`:                               "amount",
		`{"amount":6,"amount":5}`:                               "amount",
		`{"on":true}`:                                           "on",
		`{"mint":"M"}`:                                          "mint",
		`{"at":"2027-01-02T12:30:01Z"}`:                         "at",
		`{"at":"2027-01-03"}`:                                   "at",
		`{"at":1798893001}`:                                     "at",
		`{"day":"2027-01-03"}`:                                  "day",
		`{"day":"2027-01-02T01:00:00Z"}`:                        "day",
		`{"url":"http://example.com"}`:                          "url",
		`{"url":"https://example.com/x"}`:                       "url",
		`{"url":"https://example.com?a=1"}`:                     "url",
		`{"url":"https://example.org"}`:                         "url",
		`{"hex":"0xac"}`:                                        "hex",
		`{"list":["a"]}`:                                        "list",
		`{"list":["a","b","c"]}`:                                "list",
		`{"list":[]}`:                                           "list",
		`{"deep":{"z":"r"}}`:                                    "deep.z",
		`{"deep":{"x":[{"y":2}]}}`:                              "deep.x",
		` { "name" : "m" , "deep" : { "z" : "r" } , "list" : [ ] }`: "name deep.z list",
	} {
		err := echo.Repeats(json.RawMessage(sent), []byte(answer))
		if fields == "" {
			require.NoError(t, err, answer)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrMismatch, answer)
		var named []string
		for line := range strings.SplitSeq(err.Error(), "\n") {
			field, _, _ := strings.Cut(line, ":")
			named = append(named, field)
		}
		require.Equal(t, fields, strings.Join(named, " "), answer)
	}
	require.NoError(t, echo.Repeats(func() {}, []byte(`{}`)))
}

// TestWordsInAnyCase: the case of documented words is not fixed, that of names and addresses is.
func TestWordsInAnyCase(t *testing.T) {
	sent := json.RawMessage(`{"frequency":"monthly","permissions":["transfer"],"params":{"period":"day"},"merchant":"m"}`)
	require.NoError(t, echo.Repeats(sent, []byte(`{"frequency":"Monthly","permissions":["TRANSFER"],"params":{"period":"Day"}}`)))
	for _, answer := range []string{`{"frequency":"weekly"}`, `{"permissions":["SWAP"]}`, `{"merchant":"M"}`} {
		require.ErrorIs(t, echo.Repeats(sent, []byte(answer)), walletfi.ErrMismatch, answer)
	}
}
