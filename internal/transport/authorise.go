package transport

import (
	"context"
	"maps"
	"net/http"
	"net/textproto"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// Authoriser puts a credential on each attempt. HeaderKey makes one of a key that does
// not change; bearer.Tokens is one that renews what it holds.
type Authoriser interface {
	// Authorise sets the credential's headers for one attempt. It may wait for
	// a refresh, under ctx.
	Authorise(ctx context.Context, header http.Header) error
	// Refused is told that the service answered 401 to an attempt that carried
	// header. True means that a newer credential is at hand and the attempt is
	// worth one repeat; an error says why there is none.
	Refused(ctx context.Context, header http.Header) (again bool, err error)
	// Spent notes, as Refused does, that the service answered 401, and renews
	// nothing.
	Spent(header http.Header)
	// Header is the canonical name of the header that it sets, "" if it has no
	// credential.
	Header() string
	// Scheme is what the header's value begins with, before the credential.
	Scheme() string
	// Secrets lists what must be masked should the service echo it.
	Secrets() []string
}

// authorise makes the headers of one attempt, its own to change. They include
// those that net/http added for a cookie jar.
func (x *exchange) authorise(ctx context.Context, jar http.Header, a *answer) error {
	header := make(http.Header, 4+len(jar)+len(x.settings.Header))
	a.sentHeader = header
	// One allocation for three values. Each ends at its capacity, so that a RoundTripper
	// that appends to one does not write into the next.
	a.values = [...]string{"application/json", x.client.userAgent, "application/json"}
	header["Accept"], header["User-Agent"] = a.values[0:1:1], a.values[1:2:2]
	maps.Copy(header, jar)
	for name, extra := range x.settings.Header {
		header[name] = slices.Clone(extra)
	}
	if x.request.body != nil {
		header["Content-Type"] = a.values[2:3:3]
	}
	a.url, a.credential = x.request.url, header
	if x.request.operation != nil {
		return x.authoriseLive(ctx, a)
	}
	if x.client.auth == nil || x.call.Public {
		return nil
	}
	return x.client.auth.Authorise(ctx, header)
}

// HeaderKey sends key as the value of the named header, after prefix.
// An empty key sends nothing.
func HeaderKey(name, prefix string, key walletfi.Secret) Authoriser {
	return headerKey{textproto.CanonicalMIMEHeaderKey(name), prefix, key}
}

type headerKey struct {
	name, prefix string // the name canonical
	key          walletfi.Secret
}

func (k headerKey) Authorise(_ context.Context, header http.Header) error {
	if !k.key.IsZero() {
		header[k.name] = []string{k.prefix + k.key.Reveal()}
	}
	return nil
}

func (headerKey) Refused(context.Context, http.Header) (bool, error) { return false, nil }

func (k headerKey) Header() string {
	if k.key.IsZero() {
		return ""
	}
	return k.name
}

func (k headerKey) Scheme() string { return k.prefix }

func (headerKey) Spent(http.Header) {}

func (k headerKey) Secrets() []string {
	if k.key.IsZero() {
		return nil
	}
	return []string{k.key.Reveal()}
}

// ValidateKey refuses what could not be a header's value, without echoing it.
func ValidateKey(field string, key walletfi.Secret, required bool) error {
	text := key.Reveal()
	switch {
	case text == "" && required:
		return &walletfi.ValidationError{Field: field, Problem: "is required"}
	case !peer.ValidHeaderValue(text):
		return &walletfi.ValidationError{Field: field, Problem: "holds a line break or another control character"}
	case text != strings.TrimSpace(text):
		return &walletfi.ValidationError{Field: field, Problem: "begins or ends with a blank"}
	}
	return nil
}
