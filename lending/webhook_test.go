package lending_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
)

func TestWebhookDeposit(t *testing.T) {
	w, err := lending.ParseUnverifiedWebhook([]byte(`{"event": "deposit.completed", "timestamp": 1700000000, "data":
		{"walletAddress": "W1111111111111111111111111111111", "mint": "M1111111111111111111111111111111", "amount": 18446744073709551615, "depositType": "boosted", "signature": "S111111111111111111111111111111111111111111111111111111111111111", "unknown": []}}`))
	require.NoError(t, err)
	require.Equal(t, lending.WebhookDepositCompleted, w.Event)
	require.Equal(t, unix(1700000000), w.Timestamp)
	d, err := w.Deposit()
	require.NoError(t, err)
	require.Equal(t, &lending.CompletedDeposit{
		WalletAddress: "W1111111111111111111111111111111", Mint: "M1111111111111111111111111111111", Amount: maxAmount, DepositType: lending.DepositBoosted, Signature: "S111111111111111111111111111111111111111111111111111111111111111",
	}, d)
}

func TestWebhookEvents(t *testing.T) {
	for _, event := range []lending.WebhookEvent{
		lending.WebhookWithdrawCompleted, lending.WebhookWithdrawAvailable, lending.WebhookRebalanceExecuted,
		lending.WebhookPositionLiquidated, "position.opened",
	} {
		t.Run(string(event), func(t *testing.T) {
			body := fmt.Appendf(nil, `{"event":%q,"timestamp":"1700000000","data":{"mint": "M1111111111111111111111111111111"}}`, event)
			w, err := lending.ParseUnverifiedWebhook(body)
			require.NoError(t, err)
			require.Equal(t, &lending.UnverifiedWebhook{
				Event: event, Timestamp: unix(1700000000), Data: walletfi.Document(`{"mint": "M1111111111111111111111111111111"}`), Raw: body,
			}, w)
			_, err = w.Deposit()
			require.EqualError(t, err, fmt.Sprintf("lending webhook: %q carries no deposit", event))
		})
	}
}

func TestWebhookRefused(t *testing.T) {
	for name, body := range map[string]string{
		"nothing": ``, "no JSON": `event=deposit.completed`, "a list": `[]`, "no event": `{"timestamp":1}`,
		"an empty event": `{"event":"","data":{}}`, "two events": `{"event":"x","event":"y"}`, "cut": `{"event":"x"`,
	} {
		t.Run(name, func(t *testing.T) {
			w, err := lending.ParseUnverifiedWebhook([]byte(body))
			require.ErrorIs(t, err, walletfi.ErrDecode)
			require.Nil(t, w)
		})
	}
}

// TestWebhookTime: an event is not lost for a time that cannot be read.
func TestWebhookTime(t *testing.T) {
	w, err := lending.ParseUnverifiedWebhook([]byte(`{"event":"x","timestamp":"soon"}`))
	require.NoError(t, err)
	require.Equal(t, &lending.UnverifiedWebhook{Event: "x", Raw: walletfi.Document(`{"event":"x","timestamp":"soon"}`)}, w)
}

func TestWebhookDepositDrift(t *testing.T) {
	for name, row := range map[string]struct {
		data string
		want *lending.CompletedDeposit
	}{
		"amount in quotes": {
			`{"walletAddress":"W1111111111111111111111111111111","amount":"9","mint":"M1111111111111111111111111111111","depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`,
			&lending.CompletedDeposit{WalletAddress: "W1111111111111111111111111111111", Amount: 9, Mint: "M1111111111111111111111111111111", DepositType: lending.DepositRegular, Signature: "S111111111111111111111111111111111111111111111111111111111111111"},
		},
		"a number for a mint": {`{"walletAddress":"W1111111111111111111111111111111","amount":9,"mint":7,"depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`, nil},
		"null":                {`null`, nil},
		"no object":           {`"x"`, nil},
		"amount of fraction":  {`{"walletAddress":"W1111111111111111111111111111111","amount":1.5,"mint":"M1111111111111111111111111111111","depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`, nil},
		"no amount":           {`{"walletAddress":"W1111111111111111111111111111111","mint":"M1111111111111111111111111111111","depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`, nil},
		"no wallet":           {`{"amount":9,"mint":"M1111111111111111111111111111111","depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`, nil},
		"no signature":        {`{"walletAddress":"W1111111111111111111111111111111","amount":9,"mint":"M1111111111111111111111111111111","depositType":"regular"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := lending.ParseUnverifiedWebhook([]byte(`{"event":"deposit.completed","data":` + row.data + `}`))
			require.NoError(t, err)
			d, err := w.Deposit()
			if row.want == nil {
				require.ErrorIs(t, err, walletfi.ErrDecode)
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.want, d)
		})
	}
	for mint, odd := range map[string]bool{"usdc": false, "us dc": true} {
		w, err := lending.ParseUnverifiedWebhook([]byte(`{"event":"deposit.completed","data":{"walletAddress":"mine","amount":9,` +
			`"mint":"` + mint + `","depositType":"regular","signature":"S"}}`))
		require.NoError(t, err)
		d, err := w.Deposit()
		if odd {
			require.Len(t, wiretest.As[*walletfi.UnreadError](t, err).Records, 1)
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, [3]string{"mine", mint, "S"}, [3]string{d.WalletAddress, d.Mint, d.Signature}, "opaque, and kept")
	}

	w, err := lending.ParseUnverifiedWebhook([]byte(`{"event":"deposit.completed"}`))
	require.NoError(t, err)
	require.ErrorIs(t, wiretest.Error(w.Deposit()), walletfi.ErrDecode)
}

// TestWebhookDeployment: a client reads a notification in its deployment's words and
// forms, and keeps it as it came.
func TestWebhookDeployment(t *testing.T) {
	c, err := lending.New(lending.Config{
		BaseURL: "https://lending.example.com", APIKey: walletfi.NewSecret("k-123456"),
		Options: walletfi.Options{Deployment: wiretest.Deployed("lending", deployment.Service{Words: deployment.Words{
			Keys:    map[string]string{"event": "kind", "amount": "usd"},
			Values:  map[string]map[string]string{"event": {"deposit.completed": "DEPOSIT"}},
			Numbers: map[string]deployment.Number{"amount": {Scale: 6, Prefix: "$"}},
		}})},
	})
	require.NoError(t, err)
	const rest = `"walletAddress":"W1111111111111111111111111111111","mint":"M1111111111111111111111111111111","depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}}`
	body := []byte(`{"kind":"DEPOSIT","data":{"usd":"$1.25",` + rest)
	w, err := c.ParseUnverifiedWebhook(body)
	require.NoError(t, err)
	require.Equal(t, string(body), w.Raw.String())
	d, err := w.Deposit()
	require.NoError(t, err)
	require.Equal(t, walletfi.Amount(1_250_000), d.Amount)

	_, err = c.ParseUnverifiedWebhook([]byte(`{"kind":"DEPOSIT","data":{"usd":"$0.0000001",` + rest))
	require.ErrorIs(t, err, walletfi.ErrDecode)
}

// TestLenientWebhook: a client lets the members of a notification through that its options
// name, and notifies the observer of each the first time.
func TestLenientWebhook(t *testing.T) {
	for body, member := range map[string]string{
		`{"data":{}}`: "UnverifiedWebhook.event",
		`{"event":"deposit.completed","data":{"walletAddress":"W1111111111111111111111111111111","mint":"M1111111111111111111111111111111",` +
			`"depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}}`: "CompletedDeposit.amount",
	} {
		for _, lenient := range [][]string{{member}, {"CompletedDeposit.fee"}} {
			told := recorded.New(t)
			options := walletfi.Options{Lenient: lenient, Observer: told}
			c, err := lending.New(lending.Config{BaseURL: "https://lending.example.com", APIKey: walletfi.NewSecret("k-123456"), Options: options})
			require.NoError(t, err)
			for range 2 {
				w, err := c.ParseUnverifiedWebhook([]byte(body))
				if err == nil && w.Event != "" {
					_, err = w.Deposit()
				}
				if lenient[0] != member {
					require.ErrorIs(t, err, walletfi.ErrDecode)
					continue
				}
				require.NoError(t, err)
			}
			events := recorded.Events[observe.Drift](told)
			require.Equal(t, lenient[0] == member, len(events) == 1, "%v", events)
			if len(events) == 1 {
				require.Equal(t, member, events[0].Member)
				require.Equal(t, "ParseUnverifiedWebhook", events[0].Op)
			}
		}
	}
}
