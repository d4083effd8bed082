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
