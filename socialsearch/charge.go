package socialsearch

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/observe"
)

// charge is the cost of one call. Its methods do nothing on a nil charge.
type charge struct {
	meter    *Meter
	period   *period // in which it began
	id       string  // of its reservations, empty if nothing was tried
	each     Cost    // of a post or a user
	most     Cost    // of one attempt
	doubtful bool    // a reservation failed, and may be there
	attempts int
	refused  int // attempts that were answered with an error status, which is not billed
	billed   Cost
	after    MeterState // once it is settled

	dialled, connected atomic.Int32 // attempts; an HTTP client of the program's may not say
}

// reads returns the charge of a call that returns at most n posts, nil if
// nothing is metered.
func (m *Meter) reads(n int) *charge {
	if m == nil {
		return nil
	}
	return &charge{meter: m, each: m.postRead, most: m.postRead.times(n)}
}

// lookup returns the charge of a call that looks a user up, nil if nothing is
// metered.
func (m *Meter) lookup() *charge {
	if m == nil {
		return nil
	}
	return &charge{meter: m, each: m.userLookup, most: m.userLookup}
}

// begin reserves for one attempt, or refuses it.
func (c *charge) begin(ctx context.Context) error {
	if c.id == "" {
		if err := c.meter.settleLate(ctx); err != nil {
			return c.meter.failed(ctx, err)
		}
		c.id, c.period = rand.Text(), c.meter.now()
	}
	r, err := c.period.store.Reserve(ctx, c.id, c.most, c.meter.budget)
	if err != nil {
		c.doubtful = true
		return c.meter.failed(ctx, err)
	}
	c.meter.learn(c.period, r.State)
	if !r.Reserved {
		return c.meter.refusal(c.most, r.State)
	}
	c.attempts++
	return nil
}

// answered notes the status of an attempt.
func (c *charge) answered(status int) {
	if c != nil && status != 0 && status/100 != 2 {
		c.refused++
	}
}

// settle ends the call, which returned a number of posts or users or failed with
// err. retried says whether the service may have served attempts before the last
// that it did not answer.
func (c *charge) settle(ctx context.Context, brought int, err error, retried bool) {
	if c == nil || c.attempts == 0 && !c.doubtful {
		return
	}
	lost := max(0, c.attempts-c.refused-c.unsent())
	switch {
	case err == nil:
		lost = max(0, lost-1)
		c.billed = c.each.times(brought)
	case !retried && maybeServed(err):
		lost = min(lost, 1)
	}
	if retried || err != nil && maybeServed(err) {
		c.billed = c.billed.plus(c.most.times(lost))
	}
	c.after = c.meter.settle(ctx, c.period, c.id, c.billed)
}

// tell notifies the observer of the call's cost.
func (c *charge) tell(ctx context.Context, o observe.Observer, op string) {
	if c == nil || c.attempts == 0 {
		return
	}
	left := int64(-1)
	if c.meter.budget > 0 {
		left = int64(c.meter.left(c.after))
	}
	observing.Tell(ctx, o, observe.Spent{
		Service:   "socialsearch",
		Op:        op,
		Micros:    int64(c.billed),
		Total:     int64(c.after.Spent),
		Remaining: left,
	})
}

// maybeServed reports whether the service may have billed a call that failed with
// err: its answer was lost, or was a success that was not understood.
func maybeServed(err error) bool {
	var refused *walletfi.ResponseError
	if errors.Is(err, walletfi.ErrDecode) || errors.As(err, &refused) && refused.StatusCode/100 == 2 {
		return true
	}
	var lost *walletfi.TransportError
	return !errors.As(err, &refused) && errors.As(err, &lost)
}

// unsent is how many attempts got no connection, so that nothing was billed.
func (c *charge) unsent() int { return int(max(0, c.dialled.Load()-c.connected.Load())) }

// traced returns a context that reports to the charge which attempts get a connection.
func (c *charge) traced(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { c.dialled.Add(1) },
		GotConn: func(httptrace.GotConnInfo) { c.connected.Add(1) },
	})
}

// watch returns the option that reports to the charge how each attempt was answered.
func (c *charge) watch() walletfi.CallOption {
	return walletfi.CallOption(callopt.New(func(s *callopt.Settings) {
		capture := s.Capture
		s.Capture = func(status int, header http.Header, body []byte) {
			c.answered(status)
			if capture != nil {
				capture(status, header, body)
			}
		}
	}))
}

type chargeKey struct{}

// bill runs a call and charges for what it returned.
func bill[T any](
	ctx context.Context, c *Client, charge *charge, call transport.Call, opts []walletfi.CallOption,
	keep transport.Keep[T], brought func(*T) int,
) (*T, error) {
	c = c.made()
	call.NoTimeoutRetry = !c.retryPaid
	if charge != nil {
		ctx, opts = charge.traced(ctx), append(opts[:len(opts):len(opts)], charge.watch())
	}
	ctx = context.WithValue(ctx, chargeKey{}, charge)
	answer, err := waiting(ctx, charge, func() (*T, error) { return transport.Do(ctx, c.t, call, opts, keep) })
	var n int
	failure := err
	if answer != nil { // perhaps without records that could not be read
		n, failure = brought(answer), nil
	}
	charge.settle(ctx, n, failure, c.retryPaid)
	charge.tell(ctx, c.observer, call.Op)
	return answer, err
}

// metered reserves the cost of each attempt before it is sent.
type metered struct{ transport.Authoriser }

func (a metered) Authorise(ctx context.Context, header http.Header) error {
	if c, ok := ctx.Value(chargeKey{}).(*charge); ok && c != nil {
		if err := c.begin(ctx); err != nil {
			return err
		}
	}
	return a.Authoriser.Authorise(ctx, header)
}
