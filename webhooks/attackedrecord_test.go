package webhooks_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

var asked = webhooks.CreateWebhookRequest{
	Name: "w", Network: "ETH_MAINNET", DestinationURL: "https://example.com/hook", Enabled: true,
	TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0x52908400098527886E0F7030069857D2E4169EE7"}},
}

// ask has Create, Get of wh_1 and Update of it read one answer.
func ask(t *testing.T, body string, lenient ...string) (created, got *webhooks.Webhook, createErr, getErr, updateErr error) {
	t.Helper()
	carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: body}}}
	c := wiretest.Client(t, webhooks.New, webhooks.Config{
		BaseURL: "https://hooks.example", APIKey: wiretest.Key(), Options: walletfi.Options{HTTPClient: carrier.Client(), Lenient: lenient},
	})
	created, createErr = c.CreateWebhook(t.Context(), webhooks.TemplateEVMWalletFilter, asked)
	got, getErr = c.GetWebhook(t.Context(), "wh_1")
	updateErr = wiretest.Error(c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{Enabled: new(true), DestinationURL: asked.DestinationURL, Network: asked.Network}))
	require.Len(t, carrier.Seen, 3, body)
	return created, got, createErr, getErr, updateErr
}

// TestAttackedWithoutID: an answer that does not say which webhook it is about is no webhook that
// can be used. What was created exists: it is told, with what came.
func TestAttackedWithoutID(t *testing.T) {
	for _, body := range []string{
		`{}`, `null`, `[]`, `0`, `""`, `true`, `[{}]`, `[[]]`, `{"a":1}`, `{"id":null}`, `{"id":""}`, `{"webhook":{}}`, `{"data":null}`, `{"data":[]}`,
		`{"name":"w","network":"ETH_MAINNET","enabled":true}`, `{"data":{"name":"w","uuid":"wh_1"}}`, `[{"id":"wh_1"},{"id":"wh_2"}]`,
		strings.Repeat(`{"data":`, 300) + `{"a":"` + strings.Repeat("x", 1<<20) + `"}` + strings.Repeat(`}`, 300),
	} {
		created, got, err, getErr, updateErr := ask(t, body)
		require.NoError(t, updateErr, body)
		for _, one := range []struct {
			err  error
			hook *webhooks.Webhook
		}{{err, created}, {getErr, got}} {
			require.ErrorIs(t, one.err, walletfi.ErrDecode, body)
			require.NotErrorIs(t, one.err, walletfi.ErrOutcomeUnknown, body)
			unread := wiretest.As[*walletfi.UnreadError](t, one.err, body)
			require.True(t, unread.Records[0].Kept, body)
			require.Equal(t, body, unread.Records[0].Raw.String())
			require.ErrorContains(t, one.err, "Webhook.id decides, and is missing", body)
			require.Equal(t, body, one.hook.Raw.String())
			require.Empty(t, one.hook.ID)
		}
		_, _, err, getErr, _ = ask(t, body, "Webhook.id")
		require.NoError(t, errors.Join(err, getErr), body)
	}
	c, _ := carriedClient(t, answer{Status: 200, Body: `[{"id":"wh_1"},{"name":"w"},{"id":"wh_3"}]`})
	list, err := c.ListWebhooks(t.Context())
	unread := wiretest.As[*walletfi.UnreadError](t, err)
	require.Equal(t, []any{1, true, `{"name":"w"}`}, []any{unread.Records[0].Index, unread.Records[0].Kept, unread.Records[0].Raw.String()})
	require.Len(t, unread.Records, 1)
	require.Len(t, list.Items, 3)
}

// TestAttackedTwoIDs: an answer that names two webhooks is kept, and said.
func TestAttackedTwoIDs(t *testing.T) {
	for body, member := range map[string]string{
		`{"id":"wh_1","webhookId":"wh_2"}`: "webhookId", `{"id":"wh_1","webhookID":"wh_2"}`: "webhookId", `{"id":"wh_1","webhook_id":"wh_2"}`: "webhook_id",
		`{"webhookId":"wh_1","webhook_id":"wh_2"}`: "webhook_id", `{"id":"wh_1","webhook":{"id":"wh_2"}}`: "id", `{"id":"wh_1","data":{"id":"wh_2"}}`: "id",
		`{"id":"wh_1","name":"w","webhook":{"id":"wh_2"}}`: "id", `{"data":{"id":"wh_1","webhook_id":"wh_2"}}`: "webhook_id",
	} {
		created, got, err, getErr, updateErr := ask(t, body)
		wiretest.As[*walletfi.UnreadError](t, err, body)
		require.ErrorContains(t, err, "Webhook."+member+" decides, and is contradicted", body)
		require.Equal(t, "wh_1", created.ID, body)
		require.Error(t, getErr, body)
		require.Error(t, updateErr, body)
		require.True(t, got == nil || got.ID == "wh_1", body)
	}
	for _, body := range []string{
		`{"webhook_id":"wh_1"}`, `{"webhookID":"wh_1"}`, `{"WebhookId":"wh_1"}`, `{"ID":"wh_1"}`, `{"id":"wh_1","webhook_id":"wh_1"}`, `{"id":"wh_1","data":{"size":1}}`,
		`{"id":"req_1","data":{"id":"wh_1","name":"w"}}`, `{"data":{"webhook":{"id":"wh_1"}}}`, `{"data":{"data":{"webhook":{"id":"wh_1"}}}}`, `{"id":"wh_1","data":{"id":"wh_1"}}`, `{"id":"wh_1","data":{"enabled":true}}`,
	} {
		created, got, err, getErr, updateErr := ask(t, body)
		require.NoError(t, errors.Join(err, getErr, updateErr), body)
		require.Equal(t, []string{"wh_1", "wh_1"}, []string{created.ID, got.ID}, body)
	}
}

// TestAttackedSpellings: what repeats the request in another spelling repeats it, and what differs
// in another spelling differs.
func TestAttackedSpellings(t *testing.T) {
	in := func(members string) string { return `{"id":"wh_1",` + members + `}` }
	for _, same := range []string{
		`"network":"eth-mainnet"`, `"network":"ETH-MAINNET"`, `"network":"eth_mainnet"`, `"network":"EthMainnet"`, `"destination_url":"https://example.com:443/hook"`,
		`"destination_url":"https://EXAMPLE.com/hook/"`, `"destinationUrl":"https://example.com/hook"`, `"destinationURL":"https://example.com:443/hook/"`,
		`"templateId":"EVMWalletFilter"`, `"template_id":"evm-wallet-filter"`, `"template":"Wallets of an EVM"`, `"enabled":"true"`, `"enabled":1`, `"status":"active"`,
	} {
		created, got, err, getErr, updateErr := ask(t, in(same))
		require.NoError(t, errors.Join(err, getErr, updateErr), same)
		require.Equal(t, []string{"wh_1", "wh_1"}, []string{created.ID, got.ID})
	}
	for other, ofUpdate := range map[string]bool{
		`"network":"ETH_SEPOLIA"`: true, `"network":"eth"`: true, `"destination_url":"https://example.com:444/hook"`: true, `"destination_url":"http://example.com:443/hook"`: true,
		`"destinationUrl":"https://evil.example/hook"`: true, `"destination_url":"https://example.com/hook/a"`: true, `"templateId":"evmAbiFilter"`: false,
		`"template_id":"evmAbiFilter"`: false, `"enabled":"false"`: true, `"enabled":0`: true,
		`"templateArgs":{"addresses":["0x00000000000000000000000000000000000000aa"]}`: false, `"data":{"enabled":false}`: true,
		`"webhook":{"enabled":false}`: true, `"data":{"webhook":{"network":"BASE"}}`: true, `"result":{"destinationUrl":"https://evil.example"}`: true,
		`"destination_url":"https://example.com/hook","destinationUrl":"https://evil.example"`: true,
	} {
		created, _, err, _, updateErr := ask(t, in(other))
		require.Error(t, err, other)
		require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown, other)
		require.Equal(t, "wh_1", created.ID, "what exists is told")
		require.Equal(t, ofUpdate, updateErr != nil, other)
	}
}

// TestAttackedThanks: where no body is documented, a word that says that it is done is as good as
// none, and one that says that it is not is no success.
func TestAttackedThanks(t *testing.T) {
	ask := func(body string) (err, createErr error) {
		c, _ := carriedClient(t, answer{Status: 200, Body: body})
		updated, err := c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{Enabled: new(true)})
		if err == nil && body[0] != '{' {
			require.Equal(t, &webhooks.Webhook{}, updated, body)
		}
		_, testErr := c.TestWebhook(t.Context(), "wh_1")
		_, createErr = c.CreateWebhook(t.Context(), webhooks.TemplateEVMWalletFilter, asked)
		return errors.Join(err, c.DeleteWebhook(t.Context(), "wh_1"), testErr), createErr
	}
	for _, body := range []string{
		`{"message":"ok"}`, `{"message":"Webhook updated successfully"}`, `{"msg":"OK","code":200}`, `{"title":"Done","detail":"It was deleted."}`, `OK`, "ok\n", `Success`, `Webhook deleted`,
	} {
		err, createErr := ask(body)
		require.NoError(t, err, body)
		require.NotErrorIs(t, createErr, walletfi.ErrOutcomeUnknown, body)
		if body[0] == '{' {
			require.ErrorContains(t, createErr, "Webhook.id decides", body)
		}
	}
	for _, body := range []string{
		`{"message":"not ok"}`, `{"message":"internal error"}`, `{"message":"x"}`, `{"message":"ok","detail":"it was not found"}`, `{"message":"ok","error":"x"}`, `{"message":"ok","success":false}`,
		`{"message":"ok","status":500}`, `{"message":{"a":"ok"}}`, `{"message":"unsuccessful"}`, `{"message":"ok: false"}`,
	} {
		err, createErr := ask(body)
		require.Error(t, err, body)
		require.ErrorIs(t, createErr, walletfi.ErrOutcomeUnknown, body)
	}
	for _, body := range []string{`Bad gateway`, `not ok`, `<p>ok</p>`, `The update failed`} {
		c, _ := carriedClient(t, answer{Status: 200, Body: body})
		require.ErrorIs(t, wiretest.Error(c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{Enabled: new(true)})), walletfi.ErrDecode, body)
	}
}
