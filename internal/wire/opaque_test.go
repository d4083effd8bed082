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

// TestOpaque: an opaque key that is not base58 of its length is kept as it came, and said
// beside the answer or the record that has it. What is no text is no key.
func TestOpaque(t *testing.T) {
	const key = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
	for body, want := range map[string]string{
		`{"mint":"` + key + `","sig":"` + key + key + `"}`:          "",
		`{"mint":"` + strings.Repeat("1", 32) + `"}`:                "",
		`{"mint":"` + strings.Replace(key, "E", `\u0045`, 1) + `"}`: "",
		`{"mint":"usdc"}`: "beside mint",
		`{"mint":"0x00000000000000000000000000000000000000aa"}`: "beside mint",
		`{"mint":"` + key + `","sig":"` + key + `"}`:            "beside sig",
		`{"mint":"` + key + `","pair":["` + key + `","b"]}`:     "beside pair",
		`{"mint":"usdc","count":"many"}`:                        "count",
		`{"mint":7}`:                                            "mint",
		`{"mint":` + strings.Repeat("7", 33) + `}`:              "mint",
		`{"mint":{}}`:                       "mint",
		`{"mint":""}`:                       "mint",
		`{"mint":"` + key + `","sig":true}`: "sig",
		`{"mint":"` + key + `","sig":{}}`:   "sig",
		`{"mint":"usdc","mint":"usdc"}`:     "mint",
		`{"mint":"` + key + `","parts":[{"mint":"usdc"},{"mint":"` + key + `"}]}`: "parts[0] mint",
		`{"mint":"` + key + `","parts":[{"mint":7}]}`:                             "parts[0] mint",
		`{"mint":"` + key + `","units":{"a":1,"a":2}}`:                            "units.*[1] units",
		`{"mint":"` + key + `","units":{"a":1,"b":2}}`:                            "",
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
			require.Contains(t, err.Error(), "is not base58 of its length")
			continue
		}
		require.True(t, strings.HasPrefix(err.Error(), "record "+strings.Split(want, " ")[0]), err)
	}
	var h held
	require.NoError(t, Decode([]byte(`{"mint":"usdc"}`), &h), "stored")
	require.NoError(t, UnmarshalWaiving([]byte(`{"mint":"usdc"}`), &h, func(b Breach) bool {
		return b.Name() == "held.mint" && b.What == Misspelt
	}))
	require.Equal(t, "usdc", h.Mint)
}
