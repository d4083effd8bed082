package burnclose_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

func FuzzAnswers(f *testing.F) {
	wiretest.FuzzDecode(f, wire.Unmarshal, func() []any {
		return []any{
			new(burnclose.Transaction), new(burnclose.Preview), new(burnclose.Instructions), new(burnclose.CloseAllTransactions),
			new(burnclose.CloseAllPreview), new(burnclose.CloseAllSummary), new(burnclose.CloseAllInstructions),
			new(burnclose.SendResult), new(burnclose.TransactionStatus),
		}
	}, ``, `null`, `[]`, `"confirmed"`, `{"transactions":"x"}`, `{"instructions":{}}`, `{"confirmation":[[[]]]}`)
}

// FuzzGeneratedKey: an answer that holds a key is never written.
func FuzzGeneratedKey(f *testing.F) {
	f.Add([]byte(wiretest.File(f, "GenerateAPIKey.json")))
	for _, seed := range []string{`{}`, `"k"`, `{"data":{"key":"k"}}`, `{"apiKey":7}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var key burnclose.GeneratedKey
		if wire.Unmarshal(b, &key) != nil {
			return
		}
		require.Error(t, wiretest.Error(json.Marshal(key)))
	})
}

// FuzzStatus: nothing but a found status without an error is confirmed.
func FuzzStatus(f *testing.F) {
	for _, seed := range []string{
		`{"found":true,"status":{"confirmationStatus":"confirmed","err":null}}`,
		`{"found":true,"status":{"confirmationStatus":"confirmed","err":{"x":1}}}`,
		`{"value":[{"confirmationStatus":"finalized"}]}`, `{"found":false}`, `"finalized"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var s burnclose.TransactionStatus
		if json.Unmarshal(b, &s) != nil {
			return
		}
		if s.Confirmed(walletfi.CommitmentProcessed) {
			require.True(t, s.Found)
			require.Empty(t, s.Err)
		}
		var flat struct {
			Found *bool           `json:"found"`
			Err   json.RawMessage `json:"err"`
		}
		if json.Unmarshal(b, &flat) == nil && (flat.Found != nil && !*flat.Found || len(flat.Err) > 0 && flat.Err[0] == '{') {
			require.False(t, s.Confirmed(walletfi.CommitmentProcessed), "%s", b)
		}
	})
}

// FuzzRequest: what passes the checks encodes to what the service takes.
func FuzzRequest(f *testing.F) {
	f.Add("", "", 0, uint64(0), false)
	f.Add("ab12", partner, 9800, uint64(1<<64-1), true)
	f.Fuzz(func(t *testing.T, code, account string, bps int, amount uint64, legacy bool) {
		req := burnclose.BurnRequest{
			Owner: owner, AssetID: asset, BurnAmount: new(walletfi.Amount(amount)),
			Terms: burnclose.Terms{ReferralCode: code, PartnerFeeAccount: account, PartnerFeeBps: &bps, AsLegacyTransaction: &legacy},
		}
		if account == "" && bps == 0 {
			req.PartnerFeeBps = nil
		}
		c, wire := carriedClient(t, once, answer{Status: 200, Body: `{"serializedTransaction":"Ldp"}`})
		built, err := c.BuildBurn(t.Context(), req)
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			require.Empty(t, wire.Seen)
			return
		}
		var sent struct {
			BurnAmount    string `json:"burnAmount"`
			PartnerFeeBps *int   `json:"partnerFeeBps"`
			ReferralCode  string `json:"referralCode"`
		}
		require.NoError(t, json.Unmarshal([]byte(wire.Seen[0].Body), &sent))
		require.Equal(t, walletfi.Amount(amount).String(), sent.BurnAmount)
		require.NotEqual(t, "0", sent.BurnAmount)
		require.Equal(t, code, sent.ReferralCode)
		require.False(t, sent.ReferralCode != "" && sent.PartnerFeeBps != nil)
		require.Equal(t, walletfi.Amount(amount), built.Unsigned().Intent.Burn[0].Amount)
	})
}
