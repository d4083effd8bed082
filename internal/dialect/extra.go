package dialect

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"github.com/walletfi/walletfi-go/deployment"
)

// extra holds undocumented values that the deployment requires.
type extra struct {
	query   map[string]string
	headers map[string]string // by canonical name
	body    map[string]json.RawMessage
}

func compileExtra(common, own deployment.Extra) extra {
	e := extra{
		query:   merged(common.Query, own.Query),
		headers: map[string]string{},
		body:    merged(common.Body, own.Body),
	}
	for name, value := range e.body {
		e.body[name] = slices.Clone(value)
	}
	for _, given := range []map[string]string{common.Headers, own.Headers} {
		for name, value := range given {
			e.headers[canonical(name)] = value
		}
	}
	return e
}

// AddHeaders sets the extra headers in h, which is the caller's to change.
func (o *Operation) AddHeaders(h http.Header) {
	if o == nil {
		return
	}
	for name, value := range o.extra.headers {
		h[name] = []string{value}
	}
}

// ExtraQuery returns the extra parameters.
func (o *Operation) ExtraQuery() url.Values {
	q := url.Values{}
	if o != nil {
		for name, value := range o.extra.query {
			q.Set(name, value)
		}
	}
	return q
}
