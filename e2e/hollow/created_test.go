package hollow

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestCreatedIsTold gives each creating call its documented answer with every other
// member than the declared ones of another form, twice, null or missing: once the id
// is read, what was created is returned, and an error beside it names the member. The
// outcome is known.
func TestCreatedIsTold(t *testing.T) {
	var calls []string
	answers := 0
	for _, service := range sandbox.Services() {
		for _, row := range hollows[service](t) {
			call, _, err := row.ask(t, http.StatusOK, row.documented)
			require.NoError(t, err, row.route)
			if call.Effect != transport.Create || call.Answer.Form != declared.FormSays {
				continue
			}
			calls = append(calls, call.Op)
			var paths []string
			for _, member := range call.Answer.Members {
				for _, place := range declared.Places(member) {
					paths = append(paths, place.Path)
				}
			}
			var object map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(row.documented), &object))
			for _, name := range otherMembers(service) {
				if slices.Contains(paths, name) || strings.HasPrefix(paths[0], "*") {
					continue
				}
				bodies := []string{set(t, row.documented, name, nil)}
				for _, value := range []string{`{"x":1}`, `[{"x":1}]`, `null`, `{"x":1},"` + name + `":{"x":2}`} {
					rest := strings.TrimPrefix(strings.TrimSpace(bodies[0]), "{")
					bodies = append(bodies, strings.Replace(fmt.Sprintf(`{%q:%s,`, name, value)+rest, ",}", "}", 1))
				}
				for _, body := range bodies {
					answers++
					_, got, err := row.ask(t, http.StatusOK, body)
					unread, ok := errors.AsType[*walletfi.UnreadError](err)
					isKept := ok && len(unread.Records) == 1 && unread.Records[0].Kept
					if err != nil && (!isKept || errors.Is(err, walletfi.ErrOutcomeUnknown)) || reflect.ValueOf(got).IsZero() {
						t.Errorf("%s.%s, %s: %v", service, call.Op, body, err)
					}
				}
			}
		}
	}
	require.Contains(t, calls, "CreateAccount")
	require.Contains(t, calls, "ExecuteTransaction")
	require.GreaterOrEqual(t, len(calls), 10)
	require.Greater(t, answers, 500)
	t.Logf("%d calls, %d answers, none hides what was created", len(calls), answers)
}

// otherMembers are what a creation's answer may hold beside its id.
func otherMembers(service sandbox.Service) []string {
	if service != sandbox.SmartAccount {
		return nil
	}
	return []string{"address", "name", "createdAt", "permissions", "publicKey", "expiresAt", "params", "merchant", "merchantName",
		"amount", "frequency", "nextPayment", "slot", "message", "refreshToken", "expiresIn", "type", "metadata", "balance", "instructions", "timestamp", "fee"}
}

// TestWebhookCreatedIsTold: no answer of a status of success hides a webhook that exists;
// its id is told if it is there once, and what is wrong stands beside it. An answer with a body
// and no id says so.
func TestWebhookCreatedIsTold(t *testing.T) {
	for body, id := range map[string]string{
		`{"id":"wh_1"}`: "wh_1", `{"webhookId":"wh_1"}`: "wh_1", `{"webhook":{"id":"wh_1"}}`: "wh_1", `{"data":{"id":"wh_1"}}`: "wh_1",
		`[{"id":"wh_1"}]`: "wh_1", `"wh_1"`: "wh_1", `7`: "7", `{"id":7}`: "7", ``: "", `{}`: "", `null`: "",
		`{"id":"wh_1","name":{},"network":[1],"templateArgs":7,"destination_url":{},"enabled":"perhaps","status":[],"createdAt":"+0200"}`: "wh_1",
		`{"id":"wh_1","name":"n","name":"n","enabled":false,"enabled":false}`:                                                             "wh_1",
		`{"id":"wh_1","id":"wh_2"}`: "", `{"id":{"x":1},"name":"n"}`: "",
	} {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: http.StatusCreated, Body: body}}}
		client := flows.Must(webhooks.New(webhooks.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: walletfi.Options{HTTPClient: carrier.Client()}}))
		hook, err := client.CreateWebhook(t.Context(), webhooks.TemplateEVMWalletFilter, webhooks.CreateWebhookRequest{
			Name: "n", Network: "n", TemplateArgs: webhooks.WalletFilter{Addresses: []string{"0x1"}}, DestinationURL: "https://example.com/hook",
		})
		if unread, ok := errors.AsType[*walletfi.UnreadError](err); ok {
			require.True(t, unread.Records[0].Kept, body)
		} else {
			require.Equal(t, id == "", body == "", body)
			require.NoError(t, err, body)
		}
		require.NotNil(t, hook, body)
		require.Equal(t, id, hook.ID, body)
		require.False(t, errors.Is(err, walletfi.ErrOutcomeUnknown))
		require.Len(t, carrier.Seen, 1)
	}
}
