package peer

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
)

// Trace tells whether a request got a connection. A RoundTripper that is not
// net/http's may report nothing, or report from another goroutine.
type Trace struct{ asked, got atomic.Bool }

// Watch returns a context for the request that t is to watch.
func (t *Trace) Watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { t.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { t.got.Store(true) },
	})
}

// Asked reports whether a connection was asked for: whether the request was on its way
// to the network.
func (t *Trace) Asked() bool { return t.asked.Load() || t.got.Load() }

// Reached tells whether a request that failed with err may have reached the
// peer, and whether repeating it is of no use. The request certainly did not
// reach the peer only if it asked for a connection and got none, or if err is
// an error from before the first byte. t may be nil.
func Reached(t *Trace, err error) (sent, final bool) {
	if t != nil && t.got.Load() {
		return true, false
	}
	final = Untrusted(err) || UnknownHost(err)
	return !final && !failedToConnect(err) && (t == nil || !t.asked.Load()), final
}

// Untrusted reports an error about the peer's certificate.
func Untrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) ||
		errors.As(err, &host) || errors.As(err, &invalid)
}

// UnknownHost reports that the peer's name does not exist. A name server that
// fails or is slow may do better the next time.
func UnknownHost(err error) bool {
	var name *net.DNSError
	return errors.As(err, &name) && name.IsNotFound && !name.IsTemporary && !name.IsTimeout
}

// failedToConnect reports an error from before there was a connection.
func failedToConnect(err error) bool {
	var name *net.DNSError
	var op *net.OpError
	return errors.As(err, &name) || errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect")
}

// WithoutURL removes every url.Error from err. Its URL can hold secrets.
func WithoutURL(err error) error {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return err
}
