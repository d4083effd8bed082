package transport

// The stages under a deployment.

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/catalogue"
	"github.com/walletfi/walletfi-go/internal/dialect"
)

// setLiveTarget sets path and query where a deployment has them.
func (e *encoded) setLiveTarget(c *Client, call *Call, more url.Values) error {
	values, err := call.Path.named()
	if err != nil {
		return err
	}
	asked, err := e.queryOf(c, call, more)
	if err != nil {
		return err
	}
	if asked = maps.Clone(asked); asked == nil {
		asked = url.Values{}
	}
	e.operation = e.operation.Template(values)
	e.method = e.operation.Method
	if e.page, err = e.operation.Page(values, asked, call.documented()); err != nil {
		return err
	}
	target, err := e.operation.Target(values, asked, e.page, escapeSegment)
	if err != nil {
		return err
	}
	e.url.RawQuery = target.Query.Encode()
	return e.setPath(c, target.Path)
}

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
		if d.OwnCredential() { // one that goes nowhere need not be there
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
	d, _ := dialect.Compile(o.Deployment, service, o.Secrets)
	return d.OwnCredential()
}

// ValidateDeployment holds what a deployment says of a service against the
// documentation.
func ValidateDeployment(d *deployment.Deployment, service string) error {
	if _, documented := catalogue.Of(service); d == nil || !documented {
		return nil // the tests' own service has no documentation
	}
	wrong, ok := errors.AsType[*deployment.Error](d.CheckService(service))
	if !ok {
		return nil
	}
	return &walletfi.ValidationError{Field: "deployment." + wrong.Path, Problem: wrong.Problem}
}

// Dialect is what the options' deployment says of the service, nil if nothing.
func (c *Client) Dialect() *dialect.Service {
	if c == nil {
		return nil
	}
	return c.dialect
}

// live is the answer under a deployment, in the documentation's words.
func (x *exchange) live(a *answer) outcome {
	read := x.request.operation.Answer(a.body)
	read.Neutral = x.request.page.Answered(a.body, read.Neutral)
	return outcome{payload: read.Neutral, came: read.Came, unread: read.Err}
}

// partOf is the part of an answer, as it came, that Accept takes out.
func (c *Client) partOf(o *dialect.Operation, came []byte) []byte {
	if c.live == nil || o.EchoesWhole() {
		return came
	}
	if part, ok := c.live(came, o.Key); ok {
		return part
	}
	return came
}

// neutral is the body of a failure in the documentation's words and shape: an error's,
// or that of a success that is a refusal all the same.
func (x *exchange) neutral(a *answer) []byte {
	if a.status >= 200 && a.status < 300 {
		return x.request.operation.Answer(a.body).Neutral
	}
	return x.request.operation.Failure(a.body)
}
