package program

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
)

// statsTimeout bounds one scrape.
const statsTimeout = 10 * time.Second

// gauge and counter describe a metric of walletfi_signer_.
func gauge(name, help string, labels ...string) *metric {
	return &metric{prometheus.NewDesc("walletfi_signer_"+name, help, labels, nil), prometheus.GaugeValue}
}

func counter(name, help string, labels ...string) *metric {
	return &metric{prometheus.NewDesc("walletfi_signer_"+name, help, labels, nil), prometheus.CounterValue}
}

type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

const usedHelp = "Used part of a window, 1 if nothing more may leave."

var (
	waitingMetric  = gauge("approvals_waiting", "Grants that approvers have not decided on.")
	usedMetric     = gauge("window_used_ratio", usedHelp, "owner", "payee", "mint", "window")
	frozenMetric   = gauge("frozen", "1 if the signer signs nothing, or only to the rescue addresses.", "mode")
	ownersMetric   = gauge("frozen_owners", "Owners that are frozen.")
	stoppedMetric  = gauge("store_stopped", "1 if the store takes no writes.")
	certMetric     = gauge("certificate_not_after_seconds", "Unix time at which a certificate ends.", "certificate")
	freeMetric     = gauge("disk_free_bytes", "Free bytes of the disk that has the file.", "file")
	upMetric       = gauge("backend_up", "1 if the keys answered when they were last asked.")
	askedMetric    = counter("backend_requests_total", "Requests to the keys.")
	failedMetric   = counter("backend_errors_total", "Requests that the keys did not answer.")
	tookMetric     = counter("backend_seconds_total", "Time that the keys took to answer, in all.")
	decisionMetric = counter("decisions_total", "Answers to requests for signatures: signed, or why not.", "verdict")
	openMetric     = gauge("open_messages", "Signed messages that may still land.")
	debitMetric    = gauge("open_debits", "What they may take, in smallest units.", "mint")
	beatMetric     = gauge("heartbeat_age_seconds", "Time since an admin was there.")
	limitMetric    = gauge("heartbeat_limit_seconds", "After what time without an admin it freezes, 0 if never.")
	comparedMetric = gauge("comparison_age_seconds", "Time since chain and log were compared whole.")
	anchorMetric   = gauge("anchor_age_seconds", "Time since the anchor was written, 0 if it was not since the start.")
	entriesMetric  = gauge("log_entries", "Entries of the log.")
)

// watched collects what a signer is watched by.
type watched struct {
	*signer.Signer
	files        map[string]string // by what they are
	certificates func() map[string]*x509.Certificate
}

// Describe says nothing, as what there is to collect depends on the policy.
func (w *watched) Describe(chan<- *prometheus.Desc) {}

// Collect reads the numbers. If they cannot be read the scrape fails.
func (w *watched) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), statsTimeout)
	defer cancel()
	tell := func(m *metric, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(m.desc, m.kind, value, labels...)
	}
	s, err := w.Stats(ctx)
	if err != nil {
		out <- prometheus.NewInvalidMetric(entriesMetric.desc, err)
		return
	}
	w.state(&s, tell)
	tell(upMetric, one(s.Keys.Up))
	tell(askedMetric, float64(s.Keys.Asked))
	tell(failedMetric, float64(s.Keys.Failed))
	tell(tookMetric, s.Keys.Took.Seconds())
	for _, u := range s.Windows {
		tell(usedMetric, u.Ratio, u.Owner, u.Payee, named(u.Mint), u.Length)
	}
	for mint, amount := range s.Debits {
		tell(debitMetric, float64(amount), named(mint))
	}
	for verdict, n := range s.Decisions {
		tell(decisionMetric, float64(n), verdict)
	}
	for name, path := range w.files {
		if free, known := diskFree(filepath.Dir(path)); known {
			tell(freeMetric, float64(free), name)
		}
	}
	if w.certificates == nil {
		return
	}
	for name, c := range w.certificates() {
		tell(certMetric, float64(c.NotAfter.Unix()), name)
	}
}

func (w *watched) state(s *signer.Stats, tell func(*metric, float64, ...string)) {
	tell(waitingMetric, float64(s.Waiting))
	for _, mode := range []signer.Mode{signer.ModeFrozen, signer.ModeExit} {
		tell(frozenMetric, one(s.Mode == mode), string(mode))
	}
	tell(ownersMetric, float64(len(s.Frozen)))
	tell(stoppedMetric, one(s.Stopped != ""))
	tell(openMetric, float64(s.Open))
	tell(entriesMetric, float64(s.Entries))
	age := func(m *metric, at time.Time) {
		if at.IsZero() {
			at = s.Time
		}
		tell(m, max(0, s.Time.Sub(at).Seconds()))
	}
	age(beatMetric, s.Beat)
	tell(limitMetric, time.Duration(w.Policy().Heartbeat).Seconds())
	age(comparedMetric, s.Compared)
	age(anchorMetric, s.Anchored)
}

// named is a mint as a policy may name it.
func named(m signer.Mint) string {
	if m == walletfi.NativeMint {
		return "SOL"
	}
	return string(m)
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// listenMetrics listens on a TCP address or, if there is a slash in it, on a Unix socket of this user's
// alone.
func listenMetrics(address string) (net.Listener, error) {
	if !strings.Contains(address, "/") {
		return net.Listen("tcp", address)
	}
	if info, err := os.Lstat(address); err == nil && info.Mode()&os.ModeSocket != 0 {
		if err := os.Remove(address); err != nil {
			return nil, err
		}
	}
	listener, err := net.Listen("unix", address)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(address, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// serveMetrics serves /metrics until ctx ends.
func serveMetrics(ctx context.Context, listener net.Listener, w *watched) error {
	registry := prometheus.NewRegistry()
	registry.MustRegister(w)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 2}))
	server := &http.Server{
		Handler: mux, ReadTimeout: statsTimeout, WriteTimeout: 2 * statsTimeout, MaxHeaderBytes: 16 << 10,
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}
