package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
)

// trace tells whether a connection was got, which a foreign RoundTripper may
// never say, or say from a goroutine of its own.
type trace struct{ asked, got atomic.Bool }

func (t *trace) hooks() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { t.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { t.got.Store(true) },
	}
}

// reached tells whether a request that brought err may have reached the
// service, and whether it is of no use to try again. It is certain that it did
// not only where a connection was asked for and never got, or where the error
// is one from before the first byte. t may be nil.
func reached(t *trace, err error) (sent, final bool) {
	before, final := failedBefore(err)
	if t != nil {
		if t.got.Load() {
			return true, false
		}
		before = before || t.asked.Load()
	}
	return !before, final
}

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
