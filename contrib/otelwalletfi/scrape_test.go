package otelwalletfi

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// sets are the attributes of each data point of a metric.
func sets(t *testing.T, m metricdata.Metrics) (kind string, all []attribute.Set) {
	t.Helper()
	switch data := m.Data.(type) {
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			all = append(all, p.Attributes)
		}
		return "histogram", all
	case metricdata.Sum[int64]:
		return "counter", setsOf(data.DataPoints)
	case metricdata.Sum[float64]:
		return "counter", setsOf(data.DataPoints)
	case metricdata.Gauge[int64]:
		return "gauge", setsOf(data.DataPoints)
	case metricdata.Gauge[float64]:
		return "gauge", setsOf(data.DataPoints)
	}
	t.Fatalf("%s is a %T", m.Name, m.Data)
	return "", nil
}

func setsOf[N int64 | float64](points []metricdata.DataPoint[N]) (all []attribute.Set) {
	for _, p := range points {
		all = append(all, p.Attributes)
	}
	return all
}

// TestMetricsAreInTheCatalogue: a run exports every metric of it, no other, and no
// attribute that it lacks.
func TestMetricsAreInTheCatalogue(t *testing.T) {
	measured := drivenRig(t, true).measured(t)
	var names []string
	for _, m := range measured {
		names = append(names, m.Name)
		i := slices.IndexFunc(metrics, func(e entry) bool { return e.name == m.Name })
		require.GreaterOrEqual(t, i, 0, m.Name)
		e := metrics[i]
		kind, points := sets(t, m)
		require.Equal(t, e.kind, kind, m.Name)
		require.Equal(t, e.unit, m.Unit, m.Name)
		require.Equal(t, e.what, m.Description, m.Name)
		require.NotEmpty(t, points, m.Name)
		for _, set := range points {
			for _, a := range set.ToSlice() {
				require.Contains(t, e.attributes, string(a.Key), m.Name)
			}
		}
	}
	for _, e := range metrics {
		require.Contains(t, names, e.name)
	}
}

// TestScrape: Prometheus reads what the run did.
func TestScrape(t *testing.T) {
	text := drivenRig(t, false).scrape(t)
	for _, want := range []string{
		`walletfi_retries_total{http_response_status_code="503",` + scopeLabels + `walletfi_operation="BuildDeposit",walletfi_service="lending"} 1`,
		`walletfi_wallet_executions_total{` + scopeLabels + `walletfi_earlier="false",walletfi_service="lending",walletfi_state="confirmed"} 2`,
		`walletfi_wallet_executions_total{` + scopeLabels + `walletfi_earlier="false",walletfi_service="lending",walletfi_state="not_sent"} 1`,
		`walletfi_wallet_confirm_duration_seconds_count{` + scopeLabels + `walletfi_service="lending",walletfi_state="confirmed"} 2`,
		`walletfi_wallet_landing_attempts_total{` + scopeLabels + `walletfi_service="lending",walletfi_state="confirmed"} 1`,
		`walletfi_wallet_landing_cost_total{` + scopeLabels + `walletfi_service="lending"} 15000`,
		`walletfi_wallet_landing_price{` + scopeLabels + `walletfi_service="lending"} 50000`,
		`walletfi_wallet_landing_market{` + scopeLabels + `walletfi_service="lending"} 20000`,
		`walletfi_wallet_landing_duration_seconds_count{` + scopeLabels + `walletfi_service="lending",walletfi_state="confirmed"} 1`,
		`walletfi_wallet_unsettled{` + strings.TrimSuffix(scopeLabels, ",") + `} 1`,
		`walletfi_drift_total{` + scopeLabels + `walletfi_operation="ListPools",walletfi_service="lending"} 1`,
		`walletfi_token_refreshes_total{` + scopeLabels + `walletfi_service="smartaccount"} 1`,
		`walletfi_limiter_remaining{` + scopeLabels + `walletfi_class="",walletfi_service="lending",walletfi_window="300ms"}`,
		`walletfi_webhook_deliveries_total{` + scopeLabels + `walletfi_outcome="verified"} 4`,
		`walletfi_webhook_deliveries_total{` + scopeLabels + `walletfi_outcome="refused"} 1`,
		`walletfi_webhook_deliveries_total{` + scopeLabels + `walletfi_outcome="duplicate"} 1`,
		`walletfi_webhook_deliveries_total{` + scopeLabels + `walletfi_outcome="handled"} 1`,
		`walletfi_webhook_deliveries_total{` + scopeLabels + `walletfi_outcome="failed"} 2`,
		`walletfi_webhook_deliveries_total{` + scopeLabels + `walletfi_outcome="retried"} 1`,
		`walletfi_webhook_deliveries_total{` + scopeLabels + `walletfi_outcome="dead"} 1`,
		`walletfi_feed_gap_duration_seconds_count{` + scopeLabels + `walletfi_service="predictmeta"} 1`,
		`walletfi_feed_connections_total{` + scopeLabels + `walletfi_service="predictmeta"} 2`,
	} {
		require.Contains(t, text, want)
	}
	require.Regexp(t, `walletfi_guard_refusals_total\{[^}]*walletfi_rule="[a-zA-Z0-9.]+",walletfi_service="lending"\} 1`, text)
	require.Regexp(t, `walletfi_limiter_utilization_ratio\{[^}]*walletfi_service="lending",walletfi_window="300ms"\} [0-9.]+`, text)
	require.Regexp(t, `walletfi_spend_total\{[^}]*walletfi_operation="SearchRecent",walletfi_service="socialsearch"\} 0\.[0-9]+`, text)
	require.Regexp(t, `walletfi_feed_dropped_total\{[^}]*\} [1-9][0-9]*`, text)
}

// scopeLabels are those that the exporter adds to every line.
const scopeLabels = `otel_scope_name="` + scope + `",otel_scope_schema_url="",otel_scope_version="",`
