package docs_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// argsByTemplate are arguments of each template of the file, and how they are written there.
var argsByTemplate = map[webhooks.Template]struct {
	args          webhooks.TemplateArgs
	neutral, live string
}{
	webhooks.TemplateEVMWalletFilter: {
		webhooks.WalletFilter{Addresses: []string{evmAddress}},
		`{"addresses":["` + evmAddress + `"]}`, `{"wallets":["` + evmAddress + `"]}`,
	},
	"solanaWalletFilter": {
		webhooks.WalletFilter{Addresses: []string{ledgerAddress}},
		`{"addresses":["` + ledgerAddress + `"]}`, `{"accounts":["` + ledgerAddress + `"]}`,
	},
	webhooks.TemplateEVMContractEvents: {
		webhooks.ContractEvents{Contracts: []string{evmAddress}, Events: []string{"Transfer(address,address,uint256)"}},
		`{"contracts":["` + evmAddress + `"],"events":["Transfer(address,address,uint256)"]}`,
		`{"addresses":["` + evmAddress + `"],"events":["Transfer(address,address,uint256)"]}`,
	},
}

const (
	evmAddress    = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
	ledgerAddress = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin"
)

func createOf(args webhooks.TemplateArgs) webhooks.CreateWebhookRequest {
	return webhooks.CreateWebhookRequest{
		Name: "mine", Network: "ETHEREUM", TemplateArgs: args, DestinationURL: "https://bot.example/hook", Enabled: true,
	}
}

// TestWordsByTemplate: the arguments of a template go out in its words, and come back from them, in
// a record and in a list of several. Those of another template have none of them.
func TestWordsByTemplate(t *testing.T) {
	file, err := deployment.Load("words-by-template.json")
	require.NoError(t, err)
	var asked, records []string
	server := wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			io.WriteString(w, `[`+strings.Join(records, ",")+`]`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, string(body))
		template := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
		record := `{"id":"` + template + `","templateId":"` + template + `",` + string(body[1:])
		records = append(records, record)
		io.WriteString(w, record)
	})
	c := wiretest.Client(t, webhooks.New, webhooks.Config{
		BaseURL: server.URL, APIKey: wiretest.Key(), Options: walletfi.Options{Deployment: file},
	})
	for template, one := range argsByTemplate {
		hook, err := c.CreateWebhook(t.Context(), template, createOf(one.args))
		require.NoError(t, err, template)
		require.JSONEq(t, one.neutral, string(hook.TemplateArgs), template)
		require.Contains(t, asked[len(asked)-1], `"filter":`+one.live, template)
	}
	page, err := c.ListWebhooks(t.Context())
	require.NoError(t, err)
	require.Len(t, page.Items, len(argsByTemplate))
	for _, hook := range page.Items {
		require.JSONEq(t, argsByTemplate[hook.Template].neutral, string(hook.TemplateArgs), hook.Template)
	}
}

// TestWordsByTemplateOnTheSandbox: the sandbox, which reads the file on its own, speaks so too.
func TestWordsByTemplateOnTheSandbox(t *testing.T) {
	file, err := deployment.Load("words-by-template.json")
	require.NoError(t, err)
	s, err := sandbox.Start(sandbox.Config{Deployment: file})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	o := s.Options()
	o.Deployment = file
	c := wiretest.Client(t, webhooks.New, webhooks.Config{
		BaseURL: s.URL(sandbox.Webhooks), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Webhooks)), Options: o,
	})
	for template, one := range argsByTemplate {
		hook, err := c.CreateWebhook(t.Context(), template, createOf(one.args))
		require.NoError(t, err, template)
		got, err := c.GetWebhook(t.Context(), hook.ID)
		require.NoError(t, err, template)
		require.JSONEq(t, one.neutral, string(got.TemplateArgs), template)
	}
	require.Empty(t, s.Violations())
}
