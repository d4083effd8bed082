package otelwalletfi

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// tree finds spans by name, and children by their parent.
type tree struct{ all tracetest.SpanStubs }

func (r *rig) tree() tree { return tree{r.exported.GetSpans()} }

func (s tree) named(name string) (found tracetest.SpanStubs) {
	for _, one := range s.all {
		if one.Name == name {
			found = append(found, one)
		}
	}
	return found
}

func (s tree) under(parent tracetest.SpanStub, name string) (found tracetest.SpanStubs) {
	for _, one := range s.named(name) {
		if one.Parent.SpanID() == parent.SpanContext.SpanID() {
			found = append(found, one)
		}
	}
	return found
}

// value is an attribute of a span, as text; "" if it has none.
func value(s tracetest.SpanStub, key string) string {
	for _, a := range s.Attributes {
		if string(a.Key) == key {
			return a.Value.String()
		}
	}
	return ""
}

func with(t *testing.T, spans tracetest.SpanStubs, key, want string) tracetest.SpanStub {
	t.Helper()
	i := slices.IndexFunc(spans, func(s tracetest.SpanStub) bool { return value(s, key) == want })
	require.GreaterOrEqual(t, i, 0, "no span with %s=%s among %d", key, want, len(spans))
	return spans[i]
}

// TestSpansOfACall: a call with a 503, its attempts and its waits.
func TestSpansOfACall(t *testing.T) {
	spans := drivenRig(t, false).tree()
	calls := spans.named("lending.BuildDeposit")
	require.Len(t, calls, 4)
	first := with(t, calls, "walletfi.attempts", "2")
	require.Equal(t, codes.Unset, first.Status.Code)
	require.False(t, first.Parent.IsValid())
	attempts := spans.under(first, "POST /v1/generate.transactions.deposit")
	require.Len(t, attempts, 2)
	busy := with(t, attempts, "http.response.status_code", "503")
	require.Equal(t, "503", value(busy, "error.type"))
	require.Equal(t, codes.Error, busy.Status.Code)
	require.Equal(t, trace.SpanKindClient, busy.SpanKind)
	require.Empty(t, value(busy, "http.request.resend_count"))
	again := with(t, attempts, "http.response.status_code", "200")
	require.Equal(t, "1", value(again, "http.request.resend_count"))
	require.Equal(t, "POST", value(again, "http.request.method"))
	require.Equal(t, "127.0.0.1", value(again, "server.address"))
	require.NotEmpty(t, value(again, "server.port"))
	require.Equal(t, "503", value(spans.under(first, "walletfi.backoff")[0], "http.response.status_code"))

	waited := spans.named("walletfi.limiter.wait")
	wait := with(t, waited, "walletfi.service", "lending")
	i := slices.IndexFunc(calls, func(c tracetest.SpanStub) bool { return c.SpanContext.SpanID() == wait.Parent.SpanID() })
	require.GreaterOrEqual(t, i, 0, "the wait belongs to a call")
	require.Greater(t, wait.EndTime.Sub(wait.StartTime).Milliseconds(), int64(10))
}

// TestSpansOfARefresh: the call that needed the token, the refresh, and its call.
func TestSpansOfARefresh(t *testing.T) {
	spans := drivenRig(t, false).tree()
	call := spans.named("smartaccount.CreateAccount")
	require.Len(t, call, 1)
	refresh := spans.under(call[0], "walletfi.token.refresh")
	require.Len(t, refresh, 1)
	require.Len(t, spans.under(refresh[0], "smartaccount.RefreshToken"), 1)
}

// TestSpansOfAWallet: an execution that is confirmed, one that is refused and one
// whose outcome stays unknown.
func TestSpansOfAWallet(t *testing.T) {
	spans := drivenRig(t, false).tree()
	executions := spans.named("wallet.Execute")
	require.Len(t, executions, 4)
	done := with(t, executions, "walletfi.state", "confirmed")
	guard := spans.under(done, "wallet.guard")
	require.Len(t, guard, 1)
	require.Len(t, spans.under(guard[0], "wallet.sign"), 1)
	sends := spans.under(done, "wallet.submit")
	require.Equal(t, "1", value(with(t, sends, "walletfi.door", "*rpcnode.Client"), "walletfi.round"))
	require.NotEmpty(t, spans.under(sends[0], "rpcnode.sendTransaction"), "a trace goes on into the node's client")
	require.Equal(t, "confirmed", value(spans.under(done, "wallet.confirm")[0], "walletfi.state"))

	refused := with(t, executions, "walletfi.state", "not_sent")
	rule := value(spans.under(refused, "wallet.guard")[0], "walletfi.rule")
	require.NotEmpty(t, rule)
	require.Equal(t, "refused_by_guard", value(refused, "error.type"))
	require.Empty(t, spans.under(refused, "wallet.submit"))

	open := with(t, executions, "walletfi.state", "unknown")
	require.Equal(t, "outcome_unknown", value(open, "error.type"))
	require.Equal(t, "unknown", value(spans.under(open, "wallet.confirm")[0], "walletfi.state"))
	require.Equal(t, "2", value(with(t, spans.under(open, "wallet.submit"), "walletfi.round", "2"), "walletfi.round"))
}

// TestSpansOfWebhooks: a handler that succeeds and one that fails.
func TestSpansOfWebhooks(t *testing.T) {
	spans := drivenRig(t, false).tree().named("webhooks.handle")
	require.Len(t, spans, 3)
	failed := with(t, spans, "error.type", other)
	require.Equal(t, codes.Error, failed.Status.Code)
	require.Equal(t, other, failed.Status.Description, "no text of the handler's")
}

// TestSpansAreInTheCatalogue: no span has an attribute that the documentation lacks,
// and each of the catalogue's was seen.
func TestSpansAreInTheCatalogue(t *testing.T) {
	for _, users := range []bool{false, true} {
		seen := map[string]map[string]bool{}
		all := drivenRig(t, users).exported.GetSpans()
		require.NotEmpty(t, all)
		for _, s := range all {
			e := spanEntry(s)
			require.Equal(t, e.kind, s.SpanKind.String(), s.Name)
			require.Empty(t, s.Events, s.Name)
			if seen[e.name] == nil {
				seen[e.name] = map[string]bool{}
			}
			allowed := e.attributes
			if users {
				allowed = and(allowed, e.users...)
			}
			for _, a := range s.Attributes {
				require.Contains(t, allowed, string(a.Key), s.Name)
				seen[e.name][string(a.Key)] = true
			}
		}
		for _, e := range spans {
			require.Contains(t, seen, e.name)
			for _, key := range e.users {
				require.Equal(t, users, seen[e.name][key], "%s of %s", key, e.name)
			}
		}
	}
}

// spanEntry is the catalogue's of a span.
func spanEntry(s tracetest.SpanStub) entry {
	if i := slices.IndexFunc(spans, func(e entry) bool { return e.name == s.Name }); i >= 0 {
		return spans[i]
	}
	if strings.Contains(s.Name, " ") {
		return spans[1]
	}
	return spans[0]
}

// TestNamesAreBounded: past the bound, a value is "_OTHER", and a known one stays.
func TestNamesAreBounded(t *testing.T) {
	var n names
	for i := range maxNames {
		v := strings.Repeat("x", i)
		require.Equal(t, attribute.String("walletfi.operation", v), n.of(keyOperation, v))
	}
	require.Equal(t, other, n.bounded(keyOperation, "one more"))
	require.Equal(t, "xx", n.bounded(keyOperation, "xx"))
	require.Equal(t, "one more", n.bounded(keyService, "one more"), "each attribute has its own")
}
