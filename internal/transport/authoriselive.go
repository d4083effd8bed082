package transport

import (
	"context"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/dialect"
)

// authoriseLive puts the credential of an attempt where the deployment has it. The
// Authoriser sees its documented header alone.
func (x *exchange) authoriseLive(ctx context.Context, a *answer) error {
	d := x.client.dialect
	d.Rename(a.sentHeader)
	x.request.operation.AddHeaders(a.sentHeader)
	a.credential = http.Header{}
	if x.call.Public {
		return nil
	}
	scheme := ""
	if auth := x.client.auth; auth != nil {
		scheme = auth.Scheme()
		if _, renewed := auth.(*Bearer); !renewed || d.OwnCredential() { // a token that goes nowhere need not be there
			if err := auth.Authorise(ctx, a.credential); err != nil {
				return err
			}
		}
	}
	if query := d.Authorise(a.sentHeader, a.credential, scheme); len(query) > 0 {
		if a.url.RawQuery != "" {
			a.url.RawQuery += "&"
		}
		a.url.RawQuery += query.Encode()
	}
	return nil
}

// NeedsKey reports whether a client of service needs its own credential: not if the
// deployment has no place for it. A deployment that is not valid is New's to refuse.
func NeedsKey(o walletfi.Options, service string) bool {
	d, err := dialect.Compile(o.Deployment, service, o.Secrets)
	return err != nil || d.OwnCredential()
}

// Dialect is what the options' deployment says of the service, nil if nothing.
func (c *Client) Dialect() *dialect.Service { return c.dialect }
