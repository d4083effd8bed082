package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"
)

// answer is what one attempt brought.
type answer struct {
	status int // 0 where no answer came
	header http.Header
	body   []byte
	at     time.Time     // when it had arrived
	took   time.Duration // from sending to the last byte
	err    error         // why there is no answer, or no whole one
	sent   bool          // the request may have reached the service
	final  bool          // repeating cannot help: a name or a certificate
}

// errTooLarge is a body past Options.MaxResponseBytes.
var errTooLarge = errors.New("response is larger than MaxResponseBytes")

// attemptTimeout is the end of one attempt, which is not the end of ctx.
type attemptTimeout time.Duration

func (d attemptTimeout) Error() string { return fmt.Sprintf("no answer within %v", time.Duration(d)) }
func (d attemptTimeout) Timeout() bool { return true }

// send makes one attempt on the wire and reads the whole answer.
func (x *exchange) send(ctx context.Context, header http.Header) (a answer) {
	wire, cancel, limit := x.bounded(ctx)
	defer cancel()
	var route trace
	if x.call.Effect == Create || x.call.Effect == Relay {
		wire = httptrace.WithClientTrace(wire, route.hooks())
	}
	begun := time.Now()
	response, err := x.client.roundTripper(x.call.Effect).RoundTrip(x.newRequest(wire, header))
	if err == nil {
		a.status, a.header = response.StatusCode, response.Header
		a.body, err = x.read(response)
	}
	a.at = time.Now()
	a.took = a.at.Sub(begun)
	if err == nil {
		a.sent = true
		return a
	}
	a.sent, a.final = !route.neverLeft(), false
	if notSent, final := failedBefore(err); notSent {
		a.sent, a.final = false, final
	}
	switch {
	case ctx.Err() != nil:
		a.err = ctx.Err()
	case wire.Err() != nil:
		a.err = attemptTimeout(limit)
	default:
		a.err = withoutURL(err)
	}
	return a
}

// bounded returns the attempt's own context.
func (x *exchange) bounded(ctx context.Context) (context.Context, context.CancelFunc, time.Duration) {
	limit := x.client.timeout
	if x.settings.Timeout != 0 {
		limit = x.settings.Timeout
	}
	if limit <= 0 {
		wire, cancel := context.WithCancel(ctx)
		return wire, cancel, 0
	}
	limit = max(limit, x.call.MinTimeout)
	wire, cancel := context.WithTimeout(ctx, limit)
	return wire, cancel, limit
}

// newRequest has no GetBody, and a body even where it is empty: net/http
// replays a GET without one on a reused connection that died, unseen by the
// limiter.
func (x *exchange) newRequest(ctx context.Context, header http.Header) *http.Request {
	target := x.request.url
	r := &http.Request{
		Method: x.call.Method, URL: &target, Host: target.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(x.request.body)), ContentLength: int64(len(x.request.body)),
	}
	return r.WithContext(ctx)
}

// read takes the body up to the cap, counted after decompression.
func (x *exchange) read(r *http.Response) ([]byte, error) {
	defer r.Body.Close()
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" && !r.Uncompressed {
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		body = unzipped
	}
	limited := &io.LimitedReader{R: body, N: x.client.maxBody + 1}
	var into bytes.Buffer
	if r.ContentLength > 0 {
		// The length is the service's word: trusted as a hint, not for memory.
		into.Grow(int(min(r.ContentLength, x.client.maxBody, 1<<20)) + bytes.MinRead)
	}
	_, err := into.ReadFrom(limited)
	if int64(into.Len()) > x.client.maxBody {
		return into.Bytes()[:min(into.Len(), maxExcerpt)], errTooLarge
	}
	return into.Bytes(), err
}

// trace tells whether a connection was got, which a foreign RoundTripper may
// never say.
type trace struct{ asked, got bool }

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { t.asked = true },
		GotConn: func(httptrace.GotConnInfo) { t.got = true },
	}
}

func (t *trace) neverLeft() bool { return t.asked && !t.got }

// failedBefore reports an error from before the first byte: a name that does
// not resolve, a certificate that does not verify (both final), a connection
// that is refused.
func failedBefore(err error) (notSent, final bool) {
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	if errors.As(err, &name) || errors.As(err, &certificate) || errors.As(err, &authority) ||
		errors.As(err, &hostname) || errors.As(err, &invalid) {
		return true, true
	}
	var op *net.OpError
	return errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect"), false
}

// withoutURL takes off the url.Error that foreign round trippers return, since
// its URL has the query in it.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return withoutURL(u.Err)
	}
	return err
}
