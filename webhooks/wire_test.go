package webhooks_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

const base = "/webhooks/rest/v1/webhooks"

var key = map[string]string{"Authorization": "Bearer k-123456", "x-api-key": ""}

var wallets = webhooks.CreateWebhookRequest{
	Name: "treasury", Network: "CHAIN_MAINNET", DestinationURL: "https://example.com/hook?a=1&b=2", Enabled: true,
	TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0xAb", "0xcd"}},
}

func create(template webhooks.Template, change func(*webhooks.CreateWebhookRequest)) wiretest.Made {
	req := wallets
	if change != nil {
		change(&req)
	}
	return wiretest.By(client, (*webhooks.Client).CreateWebhook, template, req)
}

func TestWireCreate(t *testing.T) {
	const head = `{"name":"treasury","network":"CHAIN_MAINNET","destination_url":"https://example.com/hook?a=1&b=2",`
	wiretest.Run(t, []wiretest.Case{{
		Name: "wallets", Call: create(webhooks.TemplateEVMWalletFilter, nil),
		Method: "POST", Target: base + "/template/evmWalletFilter", Header: key,
		Body: head + `"enabled":true,"templateArgs":{"addresses":["0xAb","0xcd"]}}`, Status: 201, File: "CreateWebhook.json",
		Want: &webhooks.Webhook{
			ID: "wh_1", Name: "treasury", Network: "CHAIN_MAINNET", Template: webhooks.TemplateEVMWalletFilter,
			TemplateArgs: walletfi.Document(`{"addresses": ["0xAb", "0xcd"]}`), DestinationURL: "https://example.com/hook?a=1&b=2",
			Enabled: new(true), Status: "a-new-status", Raw: document(t, "CreateWebhook.json"),
		},
	}, {
		Name:   "switched off",
		Call:   create("solanaWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.Enabled = false }),
		Method: "POST", Target: base + "/template/solanaWalletFilter", Header: key,
		Body:  head + `"enabled":false,"templateArgs":{"addresses":["0xAb","0xcd"]}}`,
		Reply: `{"data":{"webhookId":"wh_3"}}`,
		Want:  &webhooks.Webhook{ID: "wh_3", Raw: walletfi.Document(`{"data":{"webhookId":"wh_3"}}`)},
	}, {
		Name: "contract events",
		Call: create(webhooks.TemplateEVMContractEvents, func(r *webhooks.CreateWebhookRequest) {
			r.TemplateArgs = webhooks.ContractEvents{Contracts: []string{"0xcc"}, Events: []string{"Transfer(address,address,uint256)", "A()"}}
		}),
		Method: "POST", Target: base + "/template/evmContractEvents", Header: key,
		Body:   head + `"enabled":true,"templateArgs":{"contracts":["0xcc"],"events":["Transfer(address,address,uint256)","A()"]}}`,
		Status: 204, Want: &webhooks.Webhook{},
	}, {
		Name: "raw arguments",
		Call: create(webhooks.TemplateEVMABIFilter, func(r *webhooks.CreateWebhookRequest) {
			r.TemplateArgs = webhooks.RawArgs(`{"abi":[{"type":"event"}],"n":18446744073709551615}`)
		}),
		Method: "POST", Target: base + "/template/evmAbiFilter", Header: key,
		Body:  head + `"enabled":true,"templateArgs":{"abi":[{"type":"event"}],"n":18446744073709551615}}`,
		Reply: `{"webhook_id":"wh_5"}`, Want: &webhooks.Webhook{ID: "wh_5", Raw: walletfi.Document(`{"webhook_id":"wh_5"}`)},
	}, {
		Name: "a template with a chain's name, escaped", Call: create("new/chain filter", nil),
		Method: "POST", Target: base + "/template/new%2Fchain%20filter", Header: key,
		Body:  head + `"enabled":true,"templateArgs":{"addresses":["0xAb","0xcd"]}}`,
		Reply: `{"id":"wh_4","webhook":{"size":7}}`,
		Then:  func(t *testing.T, result any) { require.Equal(t, "wh_4", result.(*webhooks.Webhook).ID) },
	}})
}

func document(t *testing.T, file string) walletfi.Document {
	t.Helper()
	// The last byte of the file is its line break, which is no part of the value.
	text := wiretest.File(t, file)
	return walletfi.Document(text[:len(text)-1])
}

func TestWireRead(t *testing.T) {
	list := wiretest.By(client, (*webhooks.Client).ListWebhooks)
	get := wiretest.By(client, (*webhooks.Client).GetWebhook, "wh_1/x y")
	listed := []webhooks.Webhook{
		{ID: "wh_1", Name: "one", Enabled: new(true), Status: "active", Raw: walletfi.Document(`{"id": "wh_1", "name": "one", "enabled": true, "status": "active"}`)},
		{ID: "wh_2", Name: "two", Enabled: new(false), Status: "disabled", Raw: walletfi.Document(`{"webhookId": "wh_2", "name": "two", "enabled": false, "status": "disabled"}`)},
	}
	cases := []wiretest.Case{{
		Name: "GetWebhook, in an envelope", Method: "GET", Target: base + "/18446744073709551615",
		Call: wiretest.By(client, (*webhooks.Client).GetWebhook, "18446744073709551615"), Header: key, File: "GetWebhook.json",
		Want: &webhooks.Webhook{
			ID: "18446744073709551615", Network: "CHAIN_MAINNET", Template: "bitcoinWalletFilter", TemplateArgs: walletfi.Document("null"),
			DestinationURL: "https://example.com/hook", Enabled: new(true), Status: "failed", Raw: document(t, "GetWebhook.json"),
		},
	}, {
		Name: "GetWebhook, data that is no object", Call: get, Method: "GET", Target: base + "/wh_1%2Fx%20y", Header: key,
		Reply: `{"data":[1],"id":"wh_1/x y"}`, Want: &webhooks.Webhook{ID: "wh_1/x y", Raw: walletfi.Document(`{"data":[1],"id":"wh_1/x y"}`)},
	}, {
		Name: "ListWebhooks, an array", Call: list, Method: "GET", Target: base, Header: key, File: "ListWebhooks.json",
		Want: &webhooks.WebhookPage{Items: listed, Raw: document(t, "ListWebhooks.json")},
	}, {
		Name: "ListWebhooks, nothing at all", Call: list, Method: "GET", Target: base, Header: key, Status: 204,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}, {
		Name: "ListWebhooks, an object without a list", Call: list, Method: "GET", Target: base, Header: key, Reply: `{"total":3}`,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
	}}
	for _, name := range []string{"webhooks", "data", "items", "results"} {
		reply := `{"total":1,"` + name + `":[{"id":"wh_1"}]}`
		cases = append(cases, wiretest.Case{
			Name: "ListWebhooks, under " + name, Call: list, Method: "GET", Target: base, Header: key, Reply: reply,
			Want: &webhooks.WebhookPage{Items: []webhooks.Webhook{{ID: "wh_1", Raw: walletfi.Document(`{"id":"wh_1"}`)}}, Raw: walletfi.Document(reply)},
		}, wiretest.Case{
			Name: "ListWebhooks, null under " + name, Call: list, Method: "GET", Target: base, Header: key, Reply: `{"` + name + `":null}`,
			Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrDecode) },
		})
	}
	wiretest.Run(t, cases)
}

func TestWireChange(t *testing.T) {
	update := func(req webhooks.UpdateWebhookRequest) wiretest.Made {
		return wiretest.By(client, (*webhooks.Client).UpdateWebhook, "wh_1", req)
	}
	test := wiretest.By(client, (*webhooks.Client).TestWebhook, "wh_1")
	remove := wiretest.By(client, (*webhooks.Client).DeleteWebhook, "wh_1")
	wiretest.Run(t, []wiretest.Case{{
		Name: "UpdateWebhook, false is sent", Call: update(webhooks.UpdateWebhookRequest{Enabled: new(false)}),
		Method: "PATCH", Target: base + "/wh_1", Header: key, Body: `{"enabled":false}`, File: "UpdateWebhook.json",
		Want: &webhooks.Webhook{ID: "wh_1", Enabled: new(false), Raw: document(t, "UpdateWebhook.json")},
	}, {
		Name: "UpdateWebhook, everything", Call: update(webhooks.UpdateWebhookRequest{
			Enabled: new(true), Name: "n", Network: "N", DestinationURL: "https://example.com", TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0xAb"}},
		}),
		Method: "PATCH", Target: base + "/wh_1", Header: key, Status: 204, Want: &webhooks.Webhook{},
		Body: `{"enabled":true,"name":"n","network":"N","destination_url":"https://example.com","templateArgs":{"addresses":["0xAb"]}}`,
	}, {
		Name: "UpdateWebhook, no more than the name", Call: update(webhooks.UpdateWebhookRequest{Name: "n"}),
		Method: "PATCH", Target: base + "/wh_1", Header: key, Body: `{"name":"n"}`,
		Want: &webhooks.Webhook{Raw: walletfi.Document(`{}`)}, Reply: `{}`,
	}, {
		Name: "DeleteWebhook, 204", Call: remove, Method: "DELETE", Target: base + "/wh_1", Header: key, Status: 204,
	}, {
		Name: "DeleteWebhook, 200", Call: remove, Method: "DELETE", Target: base + "/wh_1", Header: key, Reply: `{"success":true}`,
	}, {
		Name: "DeleteWebhook, of what never was", Call: remove, Method: "DELETE", Target: base + "/wh_1", Header: key, Status: 404,
		Err: func(t *testing.T, err error) { require.ErrorIs(t, err, walletfi.ErrNotFound) },
	}, {
		Name: "TestWebhook, 204", Call: test, Method: "POST", Target: base + "/wh_1/test", Header: key, Status: 204, Want: walletfi.Document(nil),
	}, {
		Name: "TestWebhook, 200", Call: test, Method: "POST", Target: base + "/wh_1/test", Header: key, File: "TestWebhook.json",
		Then: func(t *testing.T, result any) {
			require.JSONEq(t, wiretest.File(t, "TestWebhook.json"), result.(walletfi.Document).String())
		},
	}})
}
