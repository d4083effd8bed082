package dialect

import (
	"encoding/json"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// extra holds undocumented values that the deployment requires.
type extra struct {
	query   map[string]string
	headers map[string]string // by canonical name
	body    map[string]json.RawMessage
}

func compileExtra(
	commonField string, common deployment.Extra, field string, own deployment.Extra,
) (e extra, err error) {
	e.query, e.body = merged(common.Query, own.Query), map[string]json.RawMessage{}
	for _, name := range inOrder(e.query) {
		if name == "" || !utf8.ValidString(name) {
			return e, problem(field+".extra.query", "%q is not a parameter", name)
		}
	}
	e.headers = map[string]string{}
	for _, of := range []struct {
		field string
		given map[string]string
	}{{commonField, common.Headers}, {field, own.Headers}} {
		for _, name := range inOrder(of.given) {
			field := of.field + ".extra.headers." + name
			if err := checkHeader(field, name); err != nil {
				return e, err
			}
			if !peer.ValidHeaderValue(of.given[name]) {
				return e, problem(field, "holds a character that no header can carry")
			}
			e.headers[canonical(name)] = of.given[name]
		}
	}
	for name, value := range merged(common.Body, own.Body) {
		if name == "" || !utf8.ValidString(name) || !isJSON(value) {
			return e, problem(field+".extra.body."+name, "is not JSON")
		}
		e.body[name] = append(json.RawMessage(nil), value...)
	}
	return e, nil
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
