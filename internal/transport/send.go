package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// answer is what one attempt brought.
type answer struct {
	status int         // 0 if no answer came
	header http.Header // under neutral names
	came   http.Header // the same, under the names that they came with
	body   []byte
	at     time.Time     // when it had arrived
	took   time.Duration // from sending to the last byte
	err    error         // why there is no answer, or no whole one; secrets masked
	wait   time.Duration // how long the service asks to wait, if stated
	stated bool
	until  time.Time // the end of what the service asks for, if that is doubted
	probe  time.Time // when calls that are not urgent may find out
	sent   bool      // the request may have reached the service
	final  bool      // repeating cannot help: a name or a certificate

	sentHeader http.Header
	credential http.Header // as the Authoriser set it; sentHeader if no deployment has it elsewhere
	values     [3]string   // of sentHeader
	url        url.URL     // the attempt's own, which may hold a credential
}

var (
	// errTooLarge is a body past Options.MaxResponseBytes.
	errTooLarge   = errors.New("response is larger than MaxResponseBytes")
	errNoResponse = errors.New("the round tripper returned neither a response nor an error")
)

// attemptTimeout is the end of one attempt, which is not the end of ctx.
type attemptTimeout time.Duration

func (d attemptTimeout) Error() string { return fmt.Sprintf("no answer within %v", time.Duration(d)) }
func (d attemptTimeout) Timeout() bool { return true }

// send makes one attempt on the wire and reads the whole answer into a. The
// response is nil if none came. done is called whatever happens: a foreign round tripper
// that panics must not keep a slot for ever.
func (x *exchange) send(ctx context.Context, a *answer, done release) *http.Response {
	defer func() { x.release(ctx, done, a.sent) }()
	over, limit := x.client.roundTripper(x.call.Effect), x.limit()
	room, err := x.enter(ctx, over, limit)
	if err != nil {
		a.err, a.sent, a.at = err, false, x.client.Now()
		return nil
	}
	if room != nil {
		defer room.Leave()
	}
	wire, cancel := bounded(ctx, limit)
	defer cancel()
	var route *peer.Trace
	if x.call.Effect > Build || x.call.NoTimeoutRetry {
		// Whether it was sent decides what may be done next.
		route = new(peer.Trace)
		wire = route.Watch(wire)
	}
	if x.client.clock != nil {
		defer atwork.Alone(ctx)()
	}
	begun := time.Now()
	response, err := over.RoundTrip(x.newRequest(wire, a))
	if err == nil && response == nil {
		err = errNoResponse
	}
	if err == nil {
		a.status, a.came = response.StatusCode, response.Header
		a.header = x.client.dialect.AnswerHeaders(a.came)
		a.body, err = a.read(response, x.client.maxBody)
	}
	a.at, a.took = x.client.Now(), time.Since(begun)
	if err == nil {
		x.dated(a)
		return response
	}
	if a.status == 0 {
		response = nil
		a.sent, a.final = peer.Reached(route, err)
	}
	switch {
	case ctx.Err() != nil:
		a.err = ctx.Err()
	case wire.Err() != nil:
		a.err = attemptTimeout(limit)
	default:
		a.err = x.mask(x.request.url.RawQuery, a.url.RawQuery).Error(peer.WithoutURL(err))
	}
	return response
}

// dated is an Authoriser that holds expiries against the service's clock.
type dated interface{ Dated(date, at time.Time) }

// dated hands on the time of an answer. A refusal, which may be a proxy's, has not the
// service's.
func (x *exchange) dated(a *answer) {
	auth, ok := x.client.auth.(dated)
	if !ok || a.status >= 300 {
		return
	}
	if date, ok := peer.Date(a.came); ok {
		auth.Dated(date, a.at)
	}
}

// limit is the timeout of each attempt, 0 if there is none.
func (x *exchange) limit() time.Duration {
	limit := x.client.timeout
	if x.settings.Timeout != 0 {
		limit = x.settings.Timeout
	}
	if limit <= 0 {
		return 0
	}
	return max(limit, x.call.MinTimeout)
}

// bounded returns the attempt's own context.
func bounded(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// newRequest decides what net/http may repeat on its own, unseen by the
// limiter. It replays a GET without a body on a reused connection that died,
// read or not; hence an empty body, which leaves no trace on the wire. The
// other methods it repeats only if not one byte was written, for which it needs
// their body again.
func (x *exchange) newRequest(ctx context.Context, a *answer) *http.Request {
	r := blank.WithContext(ctx)
	r.Method, r.URL, r.Host, r.Header = x.request.method, &a.url, a.url.Host, a.sentHeader
	r.Proto, r.ProtoMajor, r.ProtoMinor = "HTTP/1.1", 1, 1
	switch {
	case len(x.request.body) > 0:
		r.ContentLength = int64(len(x.request.body))
		r.Body, _ = x.openBody()
		if r.Method != http.MethodGet {
			r.GetBody = x.openBody
		}
	case r.Method == http.MethodGet:
		r.Body = emptyBody{}
	default:
		r.Body = http.NoBody
	}
	return r
}

func (x *exchange) openBody() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(x.request.body)), nil
}

// emptyBody is http.NoBody under another type.
type emptyBody struct{}

func (emptyBody) Read([]byte) (int, error) { return 0, io.EOF }
func (emptyBody) Close() error             { return nil }

// read takes the body up to the cap, counted after decompression.
func (a *answer) read(r *http.Response, most int64) ([]byte, error) {
	if r.Body == nil {
		return nil, nil // as some test doubles answer
	}
	defer r.Body.Close()
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" && !r.Uncompressed {
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		body = unzipped
	}
	return readWithin(body, most, r.ContentLength)
}
