package hollow

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/transport"
)

// verdicts are the documented answer with a sign of a failure at its top level, which
// refuses it whatever stands beside it, and with what looks like one. A bare value has no
// place for either.
func (row hollow) verdicts(t *testing.T) []cell {
	if !strings.HasPrefix(strings.TrimSpace(row.documented), "{") {
		return nil
	}
	no := func(_ hollow, call transport.Call) outcome { return inDoubt(call, rejected) }
	ok := func(hollow, transport.Call) outcome { return success }
	said, listed := no, no
	if ownError[row.route] {
		said = ok
	}
	if strings.HasPrefix(row.route, "GET /2/") {
		listed = ok // they stand for a part of the answer
	}
	beside := func(name string, want func(hollow, transport.Call) outcome, member string, values ...string) cell {
		c := cell{name: name + " beside data", status: http.StatusOK, want: want}
		for _, value := range values {
			c.bodies = append(c.bodies, row.with(t, member, value))
		}
		return c
	}
	return []cell{
		beside("an error", said, "error", `"x"`, `{"code":"X","message":"y"}`, `{"message":"y"}`),
		beside("an error of another kind", said, "error", `true`, `1`, `["x"]`),
		beside("an error in another case", said, "Error", `"x"`),
		beside("no error", ok, "error", `null`, `""`, `[]`, `{}`, `false`, `0`),
		beside("errors", listed, "errors", `[{"message":"x"}]`, `["x"]`, `{"message":"x"}`, `"x"`),
		beside("no errors", ok, "errors", `null`, `""`, `[]`, `{}`),
		beside("success:false", no, "success", `false`),
		beside("success:true", ok, "success", `true`),
		beside("what is nested", ok, "nested", `{"error":"x","success":false}`, `[{"error":"x"}]`),
	}
}

// ownError are the routes whose documented answer is a record that has members of its
// own, of which one may be called error: a webhook's last delivery has failed, or a
// transaction on the ledger.
var ownError = map[string]bool{
	"POST /transactions/status":                    true,
	"GET /webhooks/rest/v1/webhooks/{webhookId}":   true,
	"PATCH /webhooks/rest/v1/webhooks/{webhookId}": true,
}

// with is the documented answer with one more member at its top level.
func (row hollow) with(t *testing.T, member, value string) string {
	t.Helper()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(row.documented), &members), row.route)
	members[member] = json.RawMessage(value)
	return text(t, members)
}
