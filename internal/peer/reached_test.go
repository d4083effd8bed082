package peer

import (
	"context"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptrace"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	refused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	reset   = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	noName  = &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "service.example", IsNotFound: true}}
)

func TestReached(t *testing.T) {
	traced := func(asked, got bool) *Trace {
		t := new(Trace)
		if asked {
			httptrace.ContextClientTrace(t.Watch(context.Background())).GetConn("")
		}
		if got {
			httptrace.ContextClientTrace(t.Watch(context.Background())).GotConn(httptrace.GotConnInfo{})
		}
		return t
	}
	for name, c := range map[string]struct {
		trace       *Trace
		err         error
		sent, final bool
	}{
		"untraced reset":                      {nil, reset, true, false},
		"untraced refusal":                    {nil, refused, false, false},
		"a foreign round tripper":             {traced(false, false), reset, true, false},
		"no connection":                       {traced(true, false), io.EOF, false, false},
		"a connection":                        {traced(true, true), io.EOF, true, false},
		"sent, then a dial of its own repeat": {traced(true, true), refused, true, false},
		"sent, then a name of its own repeat": {traced(true, true), noName, true, false},
		"a name":                              {traced(true, false), noName, false, true},
		"a name server that failed":           {traced(true, false), &net.DNSError{Err: "server misbehaving", IsTemporary: true}, false, false},
		"the same, untraced":                  {nil, &net.OpError{Op: "dial", Err: &net.DNSError{IsTimeout: true}}, false, false},
		"through a proxy":                     {nil, &net.OpError{Op: "proxyconnect", Err: io.EOF}, false, false},
		"a host that the certificate lacks":   {nil, x509.HostnameError{Certificate: &x509.Certificate{}}, false, true},
		"a certificate that ran out":          {nil, x509.CertificateInvalidError{Cert: &x509.Certificate{}}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			sent, final := Reached(c.trace, c.err)
			assert.Equal(t, c.sent, sent, "sent")
			assert.Equal(t, c.final, final, "final")
		})
	}
}
