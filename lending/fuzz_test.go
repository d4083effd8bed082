package lending_test

import (
	"encoding/json"
	"math"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

func FuzzAnswers(f *testing.F) {
	wiretest.FuzzDecode(f, wire.Unmarshal, func() []any {
		return []any{
			new(lending.DepositTransaction), new(lending.WithdrawTransaction), new(lending.ReferrerInitialization), new(lending.ReferrerClaim),
			new(lending.Referrer), new(lending.Account), new(lending.HistoryPage), new(lending.PendingWithdrawal),
			new(lending.Pool), new(lending.Rates),
		}
	}, ``, `null`, `[]`, `{"events":[[]]}`, `{"pools":{}}`, `{"transaction":1}`, `{"timestamp":1e400}`)
}

func FuzzWebhook(f *testing.F) {
	f.Add([]byte(`{"event":"deposit.completed","timestamp":1700000000,"data":{"walletAddress":"W1111111111111111111111111111111","amount":5}}`))
	f.Add([]byte(`{"event":"withdraw.available","data":null}`))
	f.Add([]byte(`{"event":1}`))
	f.Add([]byte(``))
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := lending.ParseUnverifiedWebhook(b)
		if err != nil {
			require.ErrorIs(t, err, walletfi.ErrDecode)
			require.Nil(t, w)
			return
		}
		require.NotEmpty(t, w.Event)
		if d, err := w.Deposit(); err == nil {
			require.Equal(t, lending.WebhookDepositCompleted, w.Event)
			require.NoError(t, wiretest.Error(json.Marshal(d)))
		}
	})
}

// FuzzHistoryRequest: a wallet's name never leaves its segment of the path, and
// the query says what the request says.
func FuzzHistoryRequest(f *testing.F) {
	f.Add("W1111111111111111111111111111111", 0, 0, "")
	f.Add("../pools", 50, 3, "deposit")
	f.Add("a/b?c=d#e%2f", -1, math.MaxInt, "withdraw")
	f.Fuzz(func(t *testing.T, wallet string, limit, offset int, kind string) {
		c, wire := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: `{"events":[],"total":0}`})
		req := lending.HistoryRequest{Limit: new(limit), Offset: new(offset), Type: lending.EventType(kind)}
		if _, err := c.ListHistory(t.Context(), wallet, req); err != nil {
			require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
			require.Empty(t, wire.Seen)
			return
		}
		sent := wire.Seen[0].URL
		require.Equal(t, "/v1/account/"+url.PathEscape(wallet)+"/history", sent.EscapedPath())
		require.Empty(t, sent.Fragment)
		require.Equal(t, kind, sent.Query().Get("type"))
		require.Equal(t, strconv.Itoa(limit), sent.Query().Get("limit"))
		require.Equal(t, strconv.Itoa(offset), sent.Query().Get("offset"))
	})
}
