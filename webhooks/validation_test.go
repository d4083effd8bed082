package webhooks_test

import (
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/webhooks"
)

func TestCreateRefused(t *testing.T) {
	c := unreachable(t)
	contract := webhooks.ContractEvents{Contracts: []string{"0xcc"}, Events: []string{"A()"}}
	for name, row := range map[string]struct {
		template webhooks.Template
		change   func(*webhooks.CreateWebhookRequest)
		want     []string
	}{
		"everything missing": {"", func(r *webhooks.CreateWebhookRequest) { *r = webhooks.CreateWebhookRequest{} }, []string{"destination_url", "name", "network", "templateArgs", "templateId"}},
		"a blank name":       {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.Name = " " }, []string{"name"}},
		"no network":         {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.Network = "" }, []string{"network"}},
		"http":               {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.DestinationURL = "http://example.com" }, []string{"destination_url"}},
		"http on loopback":   {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.DestinationURL = "http://127.0.0.1" }, []string{"destination_url"}},
		"no host":            {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.DestinationURL = "https:///hook" }, []string{"destination_url"}},
		"no URL":             {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.DestinationURL = "https://a b/" }, []string{"destination_url"}},
		"no addresses":       {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = webhooks.WalletFilter{} }, []string{"templateArgs.addresses"}},
		"a blank address": {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) {
			r.TemplateArgs = webhooks.WalletFilter{Addresses: []string{"0xAb", ""}}
		}, []string{"templateArgs.addresses[1]"}},
		"wallets for contracts": {"evmContractEvents", func(*webhooks.CreateWebhookRequest) {}, []string{"templateArgs"}},
		"wallets for an ABI":    {"evmAbiFilter", func(*webhooks.CreateWebhookRequest) {}, []string{"templateArgs"}},
		"contracts for wallets": {"evmWalletFilter", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = contract }, []string{"templateArgs"}},
		"no contracts and no events": {"evmContractEvents", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = webhooks.ContractEvents{} },
			[]string{"templateArgs.contracts", "templateArgs.events"}},
		"a blank event": {"evmContractEvents", func(r *webhooks.CreateWebhookRequest) {
			r.TemplateArgs = webhooks.ContractEvents{Contracts: []string{" "}, Events: []string{""}}
		}, []string{"templateArgs.contracts[0]", "templateArgs.events[0]"}},
		"raw, an array":   {"evmAbiFilter", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = webhooks.RawArgs(`[]`) }, []string{"templateArgs"}},
		"raw, null":       {"evmAbiFilter", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = webhooks.RawArgs(`null`) }, []string{"templateArgs"}},
		"raw, nothing":    {"evmAbiFilter", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = webhooks.RawArgs(nil) }, []string{"templateArgs"}},
		"raw, broken":     {"evmAbiFilter", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = webhooks.RawArgs(`{"a":`) }, []string{"templateArgs"}},
		"raw, a twin":     {"evmAbiFilter", func(r *webhooks.CreateWebhookRequest) { r.TemplateArgs = webhooks.RawArgs(`{"a":[{"b":1,"b":2}]}`) }, []string{"templateArgs"}},
		"template climbs": {"..", func(*webhooks.CreateWebhookRequest) {}, []string{"templateId"}},
	} {
		t.Run(name, func(t *testing.T) {
			req := wallets
			row.change(&req)
			_, err := c.CreateWebhook(t.Context(), row.template, req)
			wiretest.Refused(t, err, row.want...)
		})
	}
}

func TestUpdateRefused(t *testing.T) {
	c := unreachable(t)
	for name, row := range map[string]struct {
		id   string
		req  webhooks.UpdateWebhookRequest
		want []string
	}{
		"nothing":      {"wh_1", webhooks.UpdateWebhookRequest{}, []string{"body"}},
		"http":         {"wh_1", webhooks.UpdateWebhookRequest{DestinationURL: "http://example.com"}, []string{"destination_url"}},
		"no addresses": {"wh_1", webhooks.UpdateWebhookRequest{TemplateArgs: webhooks.WalletFilter{}}, []string{"templateArgs.addresses"}},
		"no contracts": {"wh_1", webhooks.UpdateWebhookRequest{TemplateArgs: webhooks.ContractEvents{Events: []string{"A()"}}}, []string{"templateArgs.contracts"}},
		"no id":        {"", webhooks.UpdateWebhookRequest{Enabled: new(false)}, []string{"webhookId"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.UpdateWebhook(t.Context(), row.id, row.req)
			wiretest.Refused(t, err, row.want...)
		})
	}
}

func TestIDsRefused(t *testing.T) {
	c := unreachable(t)
	for _, id := range []string{"", ".", ".."} {
		_, err := c.GetWebhook(t.Context(), id)
		wiretest.Refused(t, err, "webhookId")
		_, err = c.TestWebhook(t.Context(), id)
		wiretest.Refused(t, err, "webhookId")
		wiretest.Refused(t, c.DeleteWebhook(t.Context(), id), "webhookId")
	}
}

func TestConfigRefused(t *testing.T) {
	for name, row := range map[string]struct {
		cfg  webhooks.Config
		want string
	}{
		"no key":        {webhooks.Config{BaseURL: "https://webhooks.test"}, "apiKey"},
		"no base":       {webhooks.Config{APIKey: walletfi.NewSecret("k")}, "baseURL"},
		"http":          {webhooks.Config{APIKey: walletfi.NewSecret("k"), BaseURL: "http://webhooks.test"}, "baseURL"},
		"a broken key":  {webhooks.Config{APIKey: walletfi.NewSecret("k\n"), BaseURL: "https://webhooks.test"}, "apiKey"},
		"an odd option": {webhooks.Config{APIKey: walletfi.NewSecret("k"), BaseURL: "https://webhooks.test", Options: walletfi.Options{MaxResponseBytes: -1}}, "maxResponseBytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := webhooks.New(row.cfg)
			wiretest.Refused(t, err, row.want)
		})
	}
}
