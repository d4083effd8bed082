package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

type held struct {
	Mint  string                      `json:"mint" wire:"said,key,opaque"`
	Sig   string                      `json:"sig" wire:"strict,decides,optional,signature,opaque"`
	Pair  []string                    `json:"pair" wire:"key,opaque"`
	Count int                         `json:"count" wire:"decides,optional"`
	Units map[string]walletfi.Decimal `json:"units" wire:"decides,optional"`
	Parts []held                      `json:"parts" wire:"records"`

	Raw walletfi.Document `json:"-"`
}

// TestOpaque: an opaque key that is no identifier is kept as it came, and said
// beside the answer or the record that has it. What is no text is no key.
func TestOpaque(t *testing.T) {
	const key = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	for body, want := range map[string]string{
		`{"mint":"` + key + `","sig":"` + key + key + `"}`:          "",
		`{"mint":"` + strings.Repeat("1", 32) + `"}`:                "",
		`{"mint":"` + strings.Replace(key, "E", `\u0045`, 1) + `"}`: "",
		`{"mint":"usdc","sig":"sig_1:a","pair":["b","c.d"]}`:        "",
		`{"mint":"0x00000000000000000000000000000000000000aa"}`:     "",
		`{"mint":"!!!"}`: "beside mint",
		`{"mint":"` + key + `","sig":"` + key + ` "}`:         "beside sig",
		`{"mint":"` + key + `","pair":["` + key + `","b c"]}`: "beside pair",
		`{"mint":"µ","count":"many"}`:                         "count",
		`{"mint":7}`:                                          "mint",
		`{"mint":` + strings.Repeat("7", 33) + `}`:            "mint",
		`{"mint":{}}`:                                         "mint",
		`{"mint":""}`:                                         "mint",
		`{"mint":"` + key + `","sig":true}`:                   "sig",
		`{"mint":"` + key + `","sig":{}}`:                     "sig",
		`{"mint":"usdc","mint":"usdc"}`:                       "mint",
		`{"mint":"` + key + `","parts":[{"mint":"usd c"},{"mint":"` + key + `"}]}`: "parts[0] mint",
		`{"mint":"` + key + `","parts":[{"mint":7}]}`:                              "parts[0] mint",
		`{"mint":"` + key + `","units":{"a":1,"a":2}}`:                             "units.*[1] units",
		`{"mint":"` + key + `","units":{"a":1,"b":2}}`:                             "",
	} {
		var h held
		_, err := Read([]byte(body), &h, 0, nil)
		if want == "" {
			require.NoError(t, err, body)
			require.Nil(t, h.Raw)
			continue
		}
		require.ErrorContains(t, err, want[strings.LastIndexByte(want, ' ')+1:], body)
		require.Equal(t, strings.Contains(want, " "), Usable(err), body)
		if !Usable(err) {
			continue
		}
		record := err.(*walletfi.UnreadError).Records[0]
		require.True(t, record.Kept)
		if strings.HasPrefix(want, "beside") {
			require.Equal(t, body, record.Raw.String())
			require.Equal(t, body, h.Raw.String())
			require.Contains(t, err.Error(), "is no identifier")
			continue
		}
		require.True(t, strings.HasPrefix(err.Error(), "record "+strings.Split(want, " ")[0]), err)
	}
	var h held
	require.NoError(t, Decode([]byte(`{"mint":"usd c"}`), &h), "stored")
	require.NoError(t, UnmarshalWaiving([]byte(`{"mint":"usd c"}`), &h, func(b Breach) bool {
		return b.Name() == "held.mint" && b.What == Misspelt
	}))
	require.Equal(t, "usd c", h.Mint)
}
