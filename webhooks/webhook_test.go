package webhooks_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestWebhookJSON: a record that came is written as it came, any other by its fields;
// both are read back.
func TestWebhookJSON(t *testing.T) {
	const came = `{"webhookId":"wh_1","new":[1]}`
	var w webhooks.Webhook
	require.NoError(t, json.Unmarshal([]byte(came), &w))
	require.Equal(t, "wh_1", w.ID)
	text, err := json.Marshal(w)
	require.NoError(t, err)
	require.Equal(t, came, string(text))

	text, err = json.Marshal(webhooks.Webhook{ID: "wh_2", Enabled: new(true)})
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &w))
	require.Equal(t, "wh_2", w.ID)
	require.True(t, *w.Enabled)
}

// TestWebhookFromAnything: once a webhook exists, it is read whatever its record says, and
// what is wrong stands beside it. A bare text or number is the id, and so is that of the
// only element.
func TestWebhookFromAnything(t *testing.T) {
	wrong := map[string]string{
		`{"id":{"a":1},"name":"n","status":"ok","network":null}`: "id", `{"id":[1],"webhookId":"wh_1","enabled":false}`: "id",
		`{"id":"wh_1","enabled":"maybe","name":{"a":1},"status":"ok"}`:            "enabled",
		`{"webhook":{"id":"wh_1","enabled":{}},"data":{"id":"other"},"name":[1]}`: "enabled",
		`{"id":"wh_1","network":true}`:                                            "network", `{"data":{"id":"wh_1","destination_url":{}}}`: "destination_url",
		`{"id":"wh_1","destination_url":7}`: "destination_url", `{"id":"wh_1","network":7}`: "network",
		`{"id":"wh_1","templateId":[]}`: "templateId", `{"webhookId":true}`: "webhookId", `{"id":"a","webhookId":"b"}`: "webhookId", `[{"id":"wh_1","enabled":true,"enabled":false}]`: "enabled",
	}
	for text, want := range map[string]webhooks.Webhook{
		`{"id":"wh_1","network":true}`: {ID: "wh_1", Network: "true"}, `{"data":{"id":"wh_1","destination_url":{}}}`: {ID: "wh_1"},
		`{"id":"wh_1","destination_url":7}`: {ID: "wh_1", DestinationURL: "7"}, `{"id":"wh_1","network":7}`: {ID: "wh_1", Network: "7"},
		`{"id":"wh_1","templateId":[]}`: {ID: "wh_1"}, `{"webhookId":true}`: {ID: "true"}, `[{"id":"wh_1","enabled":true,"enabled":false}]`: {ID: "wh_1", Enabled: new(false)},
		`true`: {}, `[true]`: {}, `[7]`: {ID: "7"}, `[{"data":{"id":"wh_1"}}]`: {ID: "wh_1"}, `{"data":{"data":{"id":"wh_1"}}}`: {ID: "wh_1"},
		`"wh_1"`:                  {ID: "wh_1"},
		`7`:                       {ID: "7"},
		`18446744073709551615`:    {ID: "18446744073709551615"},
		`[{"id":"wh_1"}]`:         {ID: "wh_1"},
		`["wh_1"]`:                {ID: "wh_1"},
		`[{"id":"a"},{"id":"b"}]`: {},
		`[]`:                      {},
		`null`:                    {},
		`{"id":{"a":1},"name":"n","status":"ok","network":null}`:                  {Name: "n", Status: "ok"},
		`{"id":[1],"webhookId":"wh_1","enabled":false}`:                           {ID: "wh_1", Enabled: new(false)},
		`{"id":"a","webhookId":"b"}`:                                              {ID: "a"},
		`{"id":"wh_1","enabled":"maybe","name":{"a":1},"status":"ok"}`:            {ID: "wh_1", Status: "ok"},
		`{"webhook":{"id":"wh_1","enabled":{}},"data":{"id":"other"},"name":[1]}`: {ID: "wh_1"},
		`{"data":{"webhookId":"wh_1","deliveryStatus":"late"},"name":["x"]}`:      {ID: "wh_1", Status: "late"},
	} {
		var got webhooks.Webhook
		err := json.Unmarshal([]byte(text), &got)
		if member := wrong[text]; member != "" {
			unread := wiretest.As[*walletfi.UnreadError](t, err, text)
			require.True(t, unread.Records[0].Kept)
			require.ErrorContains(t, err, "Webhook."+member+" decides", text)
		} else {
			require.NoError(t, err, text)
		}
		require.Equal(t, text == "null", got.Raw.IsZero() || string(got.Raw) == "null", text)
		got.Raw = nil
		require.Equal(t, want, got, text)
	}
}

// TestPageJSON: a page is written as it came and read back; a record of it must be an
// object, and what is no list is an error.
func TestPageJSON(t *testing.T) {
	const came = `{"webhooks":[{"id":"wh_1"},{"id":"wh_2"}],"total":2}`
	var p webhooks.WebhookPage
	require.NoError(t, json.Unmarshal([]byte(came), &p))
	require.Len(t, p.Items, 2)
	text, err := json.Marshal(p)
	require.NoError(t, err)
	require.Equal(t, came, string(text))
	for _, bad := range []string{`{"total":3}`, `7`, `"x"`, `{"webhooks":{}}`} {
		require.Error(t, json.Unmarshal([]byte(bad), &webhooks.WebhookPage{}), bad)
	}
	require.NoError(t, json.Unmarshal([]byte(`{"webhooks":[],"data":[{"id":"wh_1"}],"items":[ ]}`), &p))
	require.Len(t, p.Items, 1, "an empty list says nothing of another one")
	require.Error(t, json.Unmarshal([]byte(`{"webhooks":[{"id":"wh_1"}],"data":[{"id":"wh_2"}]}`), &p))
	err = json.Unmarshal([]byte(`{"data":[{"id":"wh_1"}],"webhooks":[{"id":"wh_1"}],"webhooks":[]}`), &p)
	require.ErrorContains(t, err, "webhooks: comes twice", "which of the two is the list")
	for _, bad := range []string{`[{"id":"wh_1"},"wh_2",{"id":"wh_3"}]`, `{"data":[{"id":"wh_1"},7,{"id":"wh_3"}]}`, `[{"id":"wh_1"},[{"id":"wh_2"}],{"id":"wh_3"}]`, `[{"id":"wh_1"},true,{"id":"wh_3"}]`, `[{"id":"wh_1"},null,{"id":"wh_3"}]`} {
		var p webhooks.WebhookPage
		err := json.Unmarshal([]byte(bad), &p)
		unread := wiretest.As[*walletfi.UnreadError](t, err, bad)
		require.Len(t, unread.Records, 1)
		require.Equal(t, 1, unread.Records[0].Index)
		require.Equal(t, []string{"wh_1", "wh_3"}, []string{p.Items[0].ID, p.Items[len(p.Items)-1].ID})
	}
}

// TestAnotherWebhook: the answer to a call about one webhook is about that one, if it
// says about which.
func TestAnotherWebhook(t *testing.T) {
	calls := map[string]func(*webhooks.Client) (*webhooks.Webhook, error){
		"Get": func(c *webhooks.Client) (*webhooks.Webhook, error) { return c.GetWebhook(t.Context(), "wh_1") },
		"Update": func(c *webhooks.Client) (*webhooks.Webhook, error) {
			return c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{Enabled: new(true)})
		},
	}
	for name, call := range calls {
		c, wire := carriedClient(t, answer{Status: 200, Body: `{"id":"wh_2"}`}, answer{Status: 200, Body: `{"webhook":{"id":"wh_1"}}`},
			answer{Status: 200, Body: `{"webhook_id":"wh_1"}`}, answer{Status: 200, Body: `"done"`})
		_, err := call(c)
		require.ErrorIs(t, err, walletfi.ErrMismatch, name)
		other := wiretest.As[*walletfi.MismatchError](t, err)
		require.Equal(t, walletfi.MismatchError{Field: "id", Asked: "wh_1", Answered: "wh_2"}, *other)
		for range 2 {
			require.NoError(t, wiretest.Error(call(c)), name)
		}
		require.Equal(t, name == "Get", wiretest.Error(call(c)) != nil, "a text is no webhook, and may say that a change is done")
		require.Len(t, wire.Seen, 4)
	}
}

// TestWebhookWithAnErrorOfItsOwn: the member error of a webhook says how its deliveries
// fare. That of an answer without a webhook says no.
func TestWebhookWithAnErrorOfItsOwn(t *testing.T) {
	get := func(body string) (*webhooks.Webhook, *webhooks.Webhook, error, error) {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: 200, Body: body}}}
		c := wiretest.Client(t, webhooks.New, webhooks.Config{
			BaseURL: "https://hooks.example", APIKey: wiretest.Key(), Options: walletfi.Options{HTTPClient: carrier.Client()},
		})
		got, err := c.GetWebhook(t.Context(), "wh_1")
		updated, err2 := c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{Enabled: new(true)})
		return got, updated, err, err2
	}
	for _, own := range []string{
		`{"id":"wh_1","error":"last delivery: HTTP 502"}`, `{"error":{"status":502},"webhookId":"wh_1","enabled":true}`,
		`{"name":"n","destination_url":"https://example.com","error":"late"}`,
	} {
		got, updated, err, err2 := get(own)
		require.NotErrorIs(t, err, walletfi.ErrRejected, own)
		require.Equal(t, got.ID == "", err != nil, own)
		require.NoError(t, err2, own)
		require.Equal(t, []string{own, own}, []string{got.Raw.String(), updated.Raw.String()})
	}
	for _, no := range []string{
		`{"error":"no such webhook"}`, `{"id":"","error":"x"}`, `{"id":null,"error":"x"}`, `{"webhook":{"id":"wh_1"},"error":"x"}`,
		`{"id":"wh_1","success":false}`,
	} {
		_, _, err, err2 := get(no)
		require.ErrorIs(t, err, walletfi.ErrRejected, no)
		require.ErrorIs(t, err2, walletfi.ErrRejected, no)
	}
}

// TestAnotherWebhookInAnyForm: what is got or changed is the webhook that was asked for.
func TestAnotherWebhookInAnyForm(t *testing.T) {
	bodies := map[string]bool{
		`{"id":"wh_1"}`: true, `{"webhookId":"wh_1"}`: true, `{"id":"wh_1","webhookId":"wh_1"}`: true, `[{"id":"wh_1"}]`: true, `{"data":{"id":"wh_1"}}`: true,
		`{"id":"wh_2"}`: false, `{"webhookId":"wh_2"}`: false, `{"id":"wh_1","webhookId":"wh_2"}`: false, `{"id":"wh_2","webhookId":"wh_1"}`: false,
		`[{"id":"wh_2"}]`: false, `{"data":{"id":"wh_2"}}`: false, `{"id":7}`: false, `{"data":{"data":{"webhookId":"wh_2"}}}`: false,
		`{"id":"wh_1","webhook":{"webhookId":"wh_2"}}`: false,
	}
	for body, same := range bodies {
		s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
		c, err := webhooks.New(webhooks.Config{BaseURL: s.URL, APIKey: walletfi.NewSecret("k-123456")})
		require.NoError(t, err)
		got := wiretest.Error(c.GetWebhook(t.Context(), "wh_1"))
		set := wiretest.Error(c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{Name: "n"}))
		if same {
			require.NoError(t, errors.Join(got, set), body)
			continue
		}
		require.ErrorIs(t, got, walletfi.ErrMismatch, body)
		require.ErrorIs(t, set, walletfi.ErrMismatch, body)
	}
	s := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `"wh_2"`) })
	c, err := webhooks.New(webhooks.Config{BaseURL: s.URL, APIKey: walletfi.NewSecret("k-123456")})
	require.NoError(t, err)
	require.ErrorIs(t, wiretest.Error(c.GetWebhook(t.Context(), "wh_1")), walletfi.ErrMismatch)
	require.NoError(t, wiretest.Error(c.UpdateWebhook(t.Context(), "wh_1", webhooks.UpdateWebhookRequest{Name: "n"})), "a text says that it is done")
}

// TestCreatedAsAsked: what was created fits the request, and comes with the error if it does
// not, so that it can be deleted. A word that says that it is done is no id of it.
func TestCreatedAsAsked(t *testing.T) {
	req := webhooks.CreateWebhookRequest{
		Name: "n", Network: "base-mainnet", DestinationURL: "https://example.com/h", Enabled: true,
		TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0xab"}},
	}
	made := func(body string) (*webhooks.Webhook, error) {
		c, _ := carriedClient(t, answer{Status: 201, Body: body})
		return c.CreateWebhook(t.Context(), webhooks.TemplateEVMWalletFilter, req)
	}
	for _, member := range []string{
		`"destination_url":""`, `"destination_url":"x"`, `"destinationUrl":"x"`, `"network":""`, `"network":"x"`, `"templateId":""`, `"templateId":"x"`,
		`"template_id":"x"`, `"name":"x"`, `"enabled":false`, `"templateArgs":{"addresses":[]}`, `"templateArgs":{"addresses":["0xac"]}`,
	} {
		hook, err := made(`{"id":"wh_1",` + member + `}`)
		require.ErrorIs(t, err, walletfi.ErrMismatch, member)
		require.Equal(t, "wh_1", hook.ID, member)
	}
	for _, fine := range []string{`"destination_url":null`, `"network":"Base Mainnet"`, `"templateId":null`, `"status":""`, `"templateArgs":{"addresses":["0xAB"]}`} {
		require.NoError(t, wiretest.Error(made(`{"id":"wh_1",`+fine+`}`)), fine)
	}
	for _, word := range []string{`"OK"`, `"Webhook created"`, `""`, `0`} {
		hook, err := made(word)
		wiretest.As[*walletfi.UnreadError](t, err, word)
		require.Empty(t, hook.ID, word)
	}
}
