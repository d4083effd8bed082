package otelwalletfi

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/stretchr/testify/require"
	otelprometheus "go.opentelemetry.io/otel/exporters/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is an observer whose spans and metrics are kept.
type rig struct {
	*Observer
	exported *tracetest.InMemoryExporter
	tracing  *sdktrace.TracerProvider
	reader   *sdkmetric.ManualReader
	registry *prometheus.Registry
	secrets  []string // of the run, if one was driven
}

func newRig(t testing.TB, users bool) *rig {
	t.Helper()
	r := &rig{exported: tracetest.NewInMemoryExporter(), reader: sdkmetric.NewManualReader(), registry: prometheus.NewRegistry()}
	r.tracing = sdktrace.NewTracerProvider(sdktrace.WithSyncer(r.exported))
	exporter, err := otelprometheus.New(otelprometheus.WithRegisterer(r.registry))
	require.NoError(t, err)
	meters := sdkmetric.NewMeterProvider(sdkmetric.WithReader(exporter), sdkmetric.WithReader(r.reader))
	r.Observer, err = New(Config{TracerProvider: r.tracing, MeterProvider: meters, Users: users})
	require.NoError(t, err)
	return r
}

var driven = map[bool]*rig{}
var drivenMu sync.Mutex

// drivenRig is one whose observer saw a whole run, the same for all tests.
func drivenRig(t *testing.T, users bool) *rig {
	t.Helper()
	drivenMu.Lock()
	defer drivenMu.Unlock()
	if driven[users] == nil {
		r := newRig(t, users)
		r.secrets = drive(t, r)
		driven[users] = r
	}
	return driven[users]
}

// metrics reads all that was measured.
func (r *rig) measured(t *testing.T) (all []metricdata.Metrics) {
	t.Helper()
	var data metricdata.ResourceMetrics
	require.NoError(t, r.reader.Collect(context.Background(), &data))
	for _, s := range data.ScopeMetrics {
		all = append(all, s.Metrics...)
	}
	return all
}

// scrape is the answer to Prometheus.
func (r *rig) scrape(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(promhttp.HandlerFor(r.registry, promhttp.HandlerOpts{}))
	defer server.Close()
	client := server.Client()
	response, err := client.Get(server.URL)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}
