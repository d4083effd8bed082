package otelwalletfi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/observe"
)

// TestHostileValuesAreBounded: what a service, a node and a program can make of statuses
// and names is a bounded number of series, each with short and valid labels.
func TestHostileValuesAreBounded(t *testing.T) {
	r := newRig(t, true)
	call := func(op observe.Operation, end observe.End) {
		_, ended := r.Start(t.Context(), op)
		ended(end)
	}
	for i := range 2000 {
		odd := fmt.Sprint("name ", i, "\xff", strings.Repeat("x", i))
		call(observe.Attempt{Service: "lending", Op: "ListPools", Method: "GET", Route: "/v1/pools"}, observe.AttemptEnd{StatusCode: i - 5})
		call(observe.Backoff{Service: "lending", Op: "ListPools", StatusCode: i}, observe.BackoffEnd{})
		call(observe.Call{Service: odd, Op: odd}, observe.CallEnd{Err: errors.New(odd)})
		call(observe.Execution{Service: fmt.Sprint("s", i), Owner: odd}, observe.ExecutionEnd{State: odd})
		call(observe.Submit{Service: "lending", Door: fmt.Sprint("d", i), Signature: odd}, observe.SubmitEnd{Err: errors.New(odd)})
		r.Observe(context.Background(), observe.Door{Name: odd, Trials: i})
		r.Observe(context.Background(), observe.Drift{Service: "lending", Op: "ListPools", Route: "/v1/pools", Member: odd, Value: odd})
	}
	seen := 0
	for _, m := range r.measured(t) {
		_, points := sets(t, m)
		require.LessOrEqual(t, len(points), maxNames+1, m.Name)
		for _, set := range points {
			for _, a := range set.ToSlice() {
				seen++
				require.LessOrEqual(t, len(a.Value.String()), maxName, m.Name)
				require.True(t, utf8.ValidString(a.Value.String()), m.Name)
			}
		}
		if m.Name == "http.client.request.duration" || m.Name == "walletfi.retries" {
			require.Less(t, len(points), 85, m.Name)
		}
	}
	require.Greater(t, seen, 500)
	for _, s := range r.exported.GetSpans() {
		for _, a := range s.Attributes {
			require.True(t, utf8.ValidString(a.Value.String()), "%s %s", s.Name, a.Key)
		}
	}
}

// TestCancelledContexts: what a caller gave up is measured and traced all the same.
func TestCancelledContexts(t *testing.T) {
	r := newRig(t, false)
	ctx, cancel := context.WithCancel(t.Context())
	inside, ended := r.Start(ctx, observe.Call{Service: "lending", Op: "ListPools"})
	cancel()
	_, attempt := r.Start(inside, observe.Attempt{Service: "lending", Op: "ListPools", Method: "GET", Route: "/v1/pools"})
	attempt(observe.AttemptEnd{Err: context.Canceled})
	ended(observe.CallEnd{Attempts: 1, Err: context.Canceled})
	require.Len(t, r.exported.GetSpans(), 2)
	require.Contains(t, r.scrape(t), `walletfi_call_duration_seconds_count{error_type="canceled"`)
	for _, ended := range []func(observe.End){ended, attempt} {
		require.NotPanics(t, func() { ended(nil) }, "an end that is none of its kind")
	}
}

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
