package webhooks_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/webhooks"
)

// FuzzAnswers: whatever the service answers is read without a panic, and what
// was read is kept whole and can be written.
func FuzzAnswers(f *testing.F) {
	for _, name := range []string{"CreateWebhook", "GetWebhook", "ListWebhooks", "UpdateWebhook", "TestWebhook"} {
		b, err := os.ReadFile("testdata/" + name + ".json")
		require.NoError(f, err)
		f.Add(b)
	}
	for _, seed := range []string{``, `null`, `[null]`, `{"data":{"data":{"id":1}}}`, `{"webhooks":{}}`, `{"items":[{"enabled":1}]}`, `{"templateArgs":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var hook webhooks.Webhook
		if wire.Unmarshal(b, &hook) == nil {
			_, err := json.Marshal(hook)
			require.NoError(t, err)
			if string(hook.Raw) != "null" {
				require.JSONEq(t, string(b), string(hook.Raw))
			}
		}
		var list webhooks.WebhookPage
		if wire.Unmarshal(b, &list) == nil {
			require.JSONEq(t, string(b), string(list.Raw))
			for _, hook := range list.Items {
				_, err := json.Marshal(hook)
				require.NoError(t, err)
			}
		}
	})
}
