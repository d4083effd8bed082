package webhooks_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

// notPayloads are bodies that are signed and no payload. Of those that are JSON, Decode reads
// the value.
var notPayloads = map[string]struct {
	body   string
	isJSON bool
}{
	"a text":         {`"hello"`, true},
	"a word":         {`hello`, false},
	"null":           {`null`, true},
	"a mark":         {"\xef\xbb\xbf{\"webhookId\":\"wh_1\"}", false},
	"cut":            {`{"webhookId":"wh_1","slot":1,"transa`, false},
	"two documents":  {`{"webhookId":"wh_1","slot":1}{"webhookId":"wh_1","slot":2}`, false},
	"a number":       {`7`, true},
	"nothing":        {``, false},
	"spaces":         {"  ", false},
	"no UTF-8":       {"{\"webhookId\":\"\xff\"}", false},
	"a comma before": {`,"webhookId":"wh_1"}`, false},
}

// TestNotJSON: whatever was signed reaches the handler whole, with an error that says that
// it is not read: not one form of them is refused, and none looks like a payload.
func TestNotJSON(t *testing.T) {
	for name, row := range notPayloads {
		t.Run(name, func(t *testing.T) {
			var got []*webhooks.Delivery
			r := newRig(t, func(_ *rig, c *webhooks.ReceiverConfig) {
				c.Handler = func(_ context.Context, d *webhooks.Delivery) error { got = append(got, d); return nil }
			})
			require.Equal(t, 200, r.gets(signer.Request(destination, []byte(row.body))))
			require.Equal(t, 200, r.gets(signer.Request(destination, []byte(row.body))), "once more")
			require.Len(t, got, 1, "a duplicate is handled once")
			d := got[0]
			require.Equal(t, row.body, string(d.Raw))
			require.Nil(t, d.Ledger)
			require.Nil(t, d.EVM)
			require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode)
			var v any
			if err := d.Decode(&v); row.isJSON {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, walletfi.ErrDecode)
			}
		})
	}
}

// TestDecodeDelivery: a body is read into a type of the caller's, exact and whole.
func TestDecodeDelivery(t *testing.T) {
	d := webhooks.ParseDelivery([]byte(`{"big":18446744073709551616,"n":1}`))
	var v map[string]any
	require.NoError(t, d.Decode(&v))
	require.Equal(t, "18446744073709551616", v["big"].(interface{ String() string }).String())
	require.ErrorIs(t, d.Decode(&struct{ N string }{}), walletfi.ErrDecode)
	require.ErrorIs(t, webhooks.ParseDelivery([]byte(`{"n":1} x`)).Decode(&v), walletfi.ErrDecode)
}
