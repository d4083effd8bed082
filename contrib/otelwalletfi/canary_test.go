package otelwalletfi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNothingSecretIsExported walks every span and every metric of a run for its
// credentials, queries and addresses.
func TestNothingSecretIsExported(t *testing.T) {
	r := drivenRig(t, false)
	require.Greater(t, len(r.secrets), 15)
	shown := 0
	check := func(where, text string) {
		t.Helper()
		shown++
		for _, secret := range r.secrets {
			require.NotEmpty(t, secret)
			require.NotContains(t, strings.ToLower(text), strings.ToLower(secret), where)
		}
	}
	for _, s := range r.exported.GetSpans() {
		check("a name", s.Name)
		check("the status of "+s.Name, s.Status.Description)
		require.Empty(t, s.Links, s.Name)
		for _, a := range s.Attributes {
			check(s.Name+" "+string(a.Key), string(a.Key)+" "+a.Value.String())
		}
		for _, e := range s.Events {
			check("an event of "+s.Name, fmt.Sprintf("%+v", e))
		}
		check("the whole of "+s.Name, fmt.Sprintf("%+v", s))
	}
	for _, m := range r.measured(t) {
		check("a metric", m.Name+m.Description+m.Unit)
		_, points := sets(t, m)
		for _, set := range points {
			for _, a := range set.ToSlice() {
				check(m.Name+" "+string(a.Key), string(a.Key)+" "+a.Value.String())
			}
		}
	}
	check("the scrape", r.scrape(t))
	require.Greater(t, shown, 500)
}

// TestUsersAreInSpansOnly: with Users, the spans have owner, signature and path, and
// still no credential; the metrics have none of it.
func TestUsersAreInSpansOnly(t *testing.T) {
	r := drivenRig(t, true)
	spans := r.tree()
	owner := value(spans.named("wallet.Execute")[0], "walletfi.owner")
	require.Contains(t, r.secrets, owner, "an address of the run")
	require.NotEmpty(t, value(spans.named("wallet.confirm")[0], "walletfi.signature"))
	require.NotContains(t, r.scrape(t), owner)
	allowed := map[string]bool{"walletfi.owner": true, "walletfi.signature": true, "walletfi.delivery": true, "url.path": true}
	for _, s := range r.exported.GetSpans() {
		for _, a := range s.Attributes {
			for _, secret := range r.secrets {
				require.False(t, strings.Contains(a.Value.String(), secret) && !allowed[string(a.Key)], "%s %s", s.Name, a.Key)
			}
		}
	}
}
