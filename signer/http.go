package signer

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/visitors"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// peerKey is the context's key of a connection.
type peerKey struct{}

// ServeUnix serves the protocol on a Unix socket until ctx ends. Who speaks is known by the
// user ID of the process at the other end. A socket that a dead signer left is replaced.
func (s *Signer) ServeUnix(ctx context.Context, path string) error {
	if conn, err := net.Dial("unix", path); err == nil {
		_ = conn.Close()
		return fmt.Errorf("signer: another process serves %s", path)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSocket != 0 {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	if err := os.Chmod(path, 0o666); err != nil { // who may speak is the policy's to say
		return errors.Join(err, listener.Close())
	}
	return s.serve(ctx, s.counted(listener), s.Handler())
}

// ServeTLS serves the protocol over TCP until ctx ends, to clients that the policy knows by the
// common name of their certificate: see Client.Certificate. It serves no admins. cfg has the
// signer's certificate, and in ClientCAs who issues those of clients, or clients' that signed themselves.
// Without either, and below TLS 1.3, nothing is served. It closes the listener.
func (s *Signer) ServeTLS(ctx context.Context, listener net.Listener, cfg *tls.Config) error {
	return s.ServeTLSFunc(ctx, listener, func() *tls.Config { return cfg })
}

// ServeTLSFunc is ServeTLS with certificates that may change: current is asked at each connection and at
// each request. A certificate that it does not let in any more is refused also where it was let in.
func (s *Signer) ServeTLSFunc(ctx context.Context, listener net.Listener, current func() *tls.Config) error {
	if _, err := strict(current()); err != nil {
		return errors.Join(err, listener.Close())
	}
	cfg := &tls.Config{
		MinVersion: tls.VersionTLS13, SessionTicketsDisabled: true,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return strict(current()) },
	}
	return s.serve(ctx, tls.NewListener(s.counted(listener), cfg), lasting(s.Handler(), current))
}

// strict is a configuration that lets in clients with a certificate alone.
func strict(cfg *tls.Config) (*tls.Config, error) {
	if cfg == nil || cfg.ClientCAs == nil || len(cfg.Certificates) == 0 && cfg.GetCertificate == nil {
		return nil, errors.New("signer: TCP is served with a certificate, and to clients whose issuer is in ClientCAs")
	}
	cfg = cfg.Clone()
	cfg.ClientAuth, cfg.MinVersion = tls.RequireAndVerifyClientCert, tls.VersionTLS13
	cfg.GetConfigForClient, cfg.SessionTicketsDisabled = nil, true
	return cfg, nil
}

// lasting refuses a request on a connection whose certificate would not open it any more, and ends the
// connection.
func lasting(h http.Handler, current func() *tls.Config) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !letIn(current(), r.TLS.PeerCertificates) {
			w.Header().Set("Connection", "close")
			answerRefusal(w, http.StatusForbidden, refuse(CodeClient, "the certificate has expired, or was withdrawn"))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// letIn reports whether a configuration lets in who shows certificates.
func letIn(cfg *tls.Config, shown []*x509.Certificate) bool {
	if _, err := strict(cfg); err != nil || len(shown) == 0 {
		return false
	}
	o := x509.VerifyOptions{
		Roots: cfg.ClientCAs, Intermediates: x509.NewCertPool(), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	if cfg.Time != nil {
		o.CurrentTime = cfg.Time()
	}
	for _, c := range shown[1:] {
		o.Intermediates.AddCert(c)
	}
	_, err := shown[0].Verify(o)
	return err == nil
}

func (s *Signer) counted(l net.Listener) net.Listener {
	p := s.Policy()
	return visitors.Listen(l, func(uid int) (string, bool) {
		return user(uid), p.client(user(uid)) != nil || p.admin(user(uid))
	})
}

func (s *Signer) serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if secure, ok := c.(*tls.Conn); ok {
				c = secure.NetConn()
			}
			return context.WithValue(ctx, peerKey{}, c)
		},
	}
	stop := context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
		defer cancel()
		_ = server.Shutdown(ctx)
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Handler serves the protocol to requests whose context ServeUnix or ServeTLS has made.
func (s *Signer) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.Method+" "+r.Path, s.admitted(r))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answerRefusal(w, http.StatusNotFound, refuse(CodeRequest, "there is no %s %s", r.Method, r.URL.Path))
	})
	return mux
}

// route is a path of the protocol and who may ask it.
type route struct {
	Method, Path string
	admin        bool // for admins alone
	client       bool // for clients alone
	serve        func(ctx context.Context, who peer, body []byte) (any, error)
}

// bare reports that the route takes no body.
func (r *route) bare() bool { return r.Method == http.MethodGet || r.Path == protocol.PathBeat }

// peer is who asks.
type peer struct {
	name   string  // a user ID, or the name of a certificate
	client *Client // nil for an admin
	query  url.Values
}

func (s *Signer) routes() []route {
	return []route{
		{http.MethodPost, protocol.PathSign, false, true, s.serveSet(s.SignSet)},
		{http.MethodPost, protocol.PathJudge, false, true, s.serveSet(s.Judge)},
		{http.MethodGet, protocol.PathOwners, false, false, s.serveOwners},
		{http.MethodPost, protocol.PathOwners, false, true, s.serveMake},
		{http.MethodGet, protocol.PathHealth, false, false, plain(s.Health)},
		{http.MethodGet, protocol.PathLedger, true, false, plain(s.Ledger)},
		{http.MethodPost, protocol.PathFreeze, true, false, s.serveSwitch(false)},
		{http.MethodPost, protocol.PathThaw, true, false, s.serveSwitch(true)},
		{http.MethodPost, protocol.PathBeat, true, false, s.serveBeat},
		{http.MethodGet, protocol.PathLive, true, false, plain(s.Live)},
		{http.MethodGet, protocol.PathLog, true, false, s.serveLog},
		{http.MethodGet, protocol.PathBackup, true, false, s.serveBackup},
		{http.MethodGet, protocol.PathGrants, false, false, s.serveGrants},
		{http.MethodPost, protocol.PathGrants, false, true, s.serveAsk},
		{http.MethodPost, protocol.PathVerdict, false, false, s.serveVerdict},
	}
}

// plain serves what needs no body.
func plain[T any](f func(context.Context) (T, error)) func(context.Context, peer, []byte) (any, error) {
	return func(ctx context.Context, _ peer, _ []byte) (any, error) { return f(ctx) }
}

// admitted checks the protocol's version and who asks, and reads the body.
func (s *Signer) admitted(r route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if version := strings.Join(req.Header.Values(protocol.Header), ", "); version != protocol.Version {
			answerRefusal(w, http.StatusUpgradeRequired, refuse(CodeRequest,
				"this signer speaks version %s of its protocol, the request %.20q: use the client of the signer's version",
				protocol.Version, version))
			return
		}
		who := peer{query: req.URL.Query()}
		conn, ok := req.Context().Value(peerKey{}).(*visitors.Conn)
		if ok {
			who.name = conn.Who()
		}
		if req.TLS != nil {
			who.name = certificate(req.TLS.PeerCertificates[0].Subject.CommonName)
		}
		who.client = s.Policy().client(who.name)
		admin := req.TLS == nil && s.Policy().admin(who.name)
		if r.admin && !admin || r.client && who.client == nil || !admin && who.client == nil {
			asks := cmp.Or(who.name, "who is not in the policy")
			answerRefusal(w, http.StatusForbidden, refuse(CodeClient, "%s may not ask %s", asks, r.Path))
			return
		}
		if !conn.Is(who.name) {
			w.Header().Set("Connection", "close")
			answerRefusal(w, http.StatusConflict, waits(CodeRate, "%s has %d connections", who.name, visitors.Most))
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, protocol.MaxBody))
		if err != nil {
			answerRefusal(w, http.StatusRequestEntityTooLarge, refuse(CodeRequest,
				"the body could not be read, or has more than %d bytes", protocol.MaxBody))
			return
		}
		if len(body) > 0 && r.bare() {
			answerRefusal(w, http.StatusBadRequest, refuse(CodeRequest, "%s %s takes no body", r.Method, r.Path))
			return
		}
		answer, err := r.serve(req.Context(), who, body)
		if err != nil {
			refusal := asRefusal(err)
			answerRefusal(w, statusOf(refusal), refusal)
			return
		}
		if own, ok := answer.(http.Handler); ok {
			own.ServeHTTP(w, req)
			return
		}
		answerJSON(w, http.StatusOK, answer)
	})
}

func statusOf(r *signing.SetRefusal) int {
	switch {
	case r.Waits:
		return http.StatusConflict
	case r.Code == CodeRequest:
		return http.StatusBadRequest
	}
	return http.StatusForbidden
}

func answerRefusal(w http.ResponseWriter, status int, r *signing.SetRefusal) {
	answerJSON(w, status, protocol.Refusal{Code: r.Code, Text: r.Text, Waits: r.Waits, RetryAt: r.RetryAt})
}

func answerJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who does not read it has it counted all the same
}

// read reads a body, of which every member must be known.
func read[T any](body []byte) (v T, err error) {
	if err := json.Unmarshal(body, &v); err != nil {
		return v, refuse(CodeRequest, "the body: %v", err)
	}
	if err := jsontext.Exact(body, reflect.TypeFor[T]()); err != nil {
		return v, refuse(CodeRequest, "the body: %v", err)
	}
	return v, nil
}

func (s *Signer) serveSet(
	f func(context.Context, string, signing.SetRequest) (*Decision, error),
) func(context.Context, peer, []byte) (any, error) {
	return func(ctx context.Context, who peer, body []byte) (any, error) {
		r, err := read[protocol.Request](body)
		if err != nil {
			return nil, err
		}
		if len(r.Unsigned.Transactions) == 0 {
			return nil, refuse(CodeRequest, "the body has no unsigned transactions")
		}
		return f(ctx, who.client.Name, signing.SetRequest(r))
	}
}

func (s *Signer) serveOwners(_ context.Context, who peer, _ []byte) (any, error) {
	all := []protocol.Owner{}
	for _, o := range s.Policy().Owners {
		if who.client == nil || who.client.mayAsk(&o) {
			all = append(all, protocol.Owner{Name: o.Name, Key: o.Key.String(), Elsewhere: o.Elsewhere})
		}
	}
	return all, nil
}

func (s *Signer) serveMake(ctx context.Context, who peer, body []byte) (any, error) {
	r, err := read[protocol.NewOwner](body)
	if err != nil {
		return nil, err
	}
	key, err := s.MakeOwner(ctx, who.client.Name, r)
	if err != nil {
		return nil, err
	}
	return protocol.Owner{
		Name: r.Name, Key: key.String(), Elsewhere: s.Policy().owner(key.String()).Elsewhere,
	}, nil
}

func (s *Signer) serveGrants(_ context.Context, who peer, _ []byte) (any, error) {
	if who.client == nil {
		return s.Grants(""), nil
	}
	return s.Grants(who.client.Name), nil
}

func (s *Signer) serveAsk(ctx context.Context, who peer, body []byte) (any, error) {
	r, err := read[protocol.NewGrant](body)
	if err != nil {
		return nil, err
	}
	return s.AskGrant(ctx, who.client.Name, r)
}

func (s *Signer) serveVerdict(ctx context.Context, _ peer, body []byte) (any, error) {
	r, err := read[protocol.Verdict](body)
	if err != nil {
		return nil, err
	}
	return s.Decide(ctx, r)
}

// serveSwitch freezes, and says what can still land, or thaws.
func (s *Signer) serveSwitch(thaw bool) func(context.Context, peer, []byte) (any, error) {
	return func(ctx context.Context, who peer, body []byte) (any, error) {
		r, err := read[protocol.Switch](body)
		if err != nil {
			return nil, err
		}
		if thaw {
			if err := s.Thaw(ctx, who.name, r.Reason); err != nil {
				return nil, err
			}
			return s.Health(ctx)
		}
		if err := s.Freeze(ctx, who.name, cmp.Or(Mode(r.Mode), ModeFrozen), r.Reason); err != nil {
			return nil, err
		}
		return s.Live(ctx)
	}
}

func (s *Signer) serveBeat(ctx context.Context, who peer, _ []byte) (any, error) {
	if err := s.Beat(ctx, who.name); err != nil {
		return nil, err
	}
	return s.Health(ctx)
}

// serveLog answers a page of the log, of what comes after an entry.
func (s *Signer) serveLog(ctx context.Context, who peer, _ []byte) (any, error) {
	const page = 200
	after, err := strconv.ParseInt(cmp.Or(who.query.Get("after"), "0"), 10, 64)
	if err != nil {
		return nil, refuse(CodeRequest, "after is not the number of an entry")
	}
	all := []Entry{}
	err = each(ctx, s.db, after, page, func(e Entry) error {
		all = append(all, e)
		return nil
	})
	return all, err
}

// known is by what a client is known.
func (c Client) known() string {
	if c.Certificate != "" {
		return certificate(c.Certificate)
	}
	return user(c.UID)
}

func certificate(name string) string { return fmt.Sprintf("certificate %q", name) }

func user(uid int) string { return fmt.Sprintf("uid %d", uid) }
