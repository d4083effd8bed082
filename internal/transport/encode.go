package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-querystring/query"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// encoded is a request that is ready to be sent any number of times.
type encoded struct {
	method string
	url    url.URL
	body   []byte // nil for none

	operation *dialect.Operation // nil if the deployment is as documented
	page      *dialect.Page      // nil unless the deployment pages in its own way
}

// encode checks a call and writes it in the service's words.
func (e *encoded) encode(c *Client, call *Call, settings *callopt.Settings) error {
	if call.Effect == 0 {
		return fmt.Errorf("transport: %s.%s has no effect", c.service, call.Op)
	}
	if call.Answer.Form == 0 {
		return fmt.Errorf("transport: %s.%s does not declare its answer", c.service, call.Op)
	}
	if call.Invalid != nil {
		return call.Invalid
	}
	if settings.Err != nil {
		return settings.Err
	}
	e.url, e.method, e.operation = *c.base, call.Method, c.dialect.Operation(call.Method, call.Path.template)
	if err := c.checkHeader(settings.Header, e.operation); err != nil {
		return err
	}
	if err := e.setTarget(c, call, settings.Query); err != nil {
		return err
	}
	return e.setBody(c, call)
}

// checkHeader refuses what net/http would refuse only when the request is on
// its way, and the live name of a header that is the client's own.
func (c *Client) checkHeader(extra http.Header, o *dialect.Operation) error {
	if len(extra) == 0 {
		return nil // spares most calls the iterator
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		switch {
		case !peer.ValidHeader(name, extra[name]...):
			const problem = "name or value holds a character that no header can carry"
			return &walletfi.ValidationError{Field: "header", Problem: problem}
		case o.SetsHeader(name), c.auth != nil && textproto.CanonicalMIMEHeaderKey(name) == c.auth.Header():
			return &walletfi.ValidationError{Field: "header", Problem: name + " is set by the client itself"}
		}
	}
	return nil
}

// setTarget sets path and query.
func (e *encoded) setTarget(c *Client, call *Call, more url.Values) error {
	if e.operation != nil {
		return e.setLiveTarget(c, call, more)
	}
	path, err := call.Path.escaped()
	if err != nil {
		return err
	}
	if err := e.setPath(c, path); err != nil || call.Query == nil && more == nil {
		return err
	}
	values, err := e.queryOf(c, call, more)
	e.url.RawQuery = values.Encode()
	return err
}

func (e *encoded) setPath(c *Client, path string) error {
	raw := c.base.EscapedPath() + path
	if !strings.Contains(raw, "%") {
		e.url.Path, e.url.RawPath = raw, ""
		return nil
	}
	plain, err := url.PathUnescape(raw)
	e.url.Path, e.url.RawPath = plain, raw
	return err
}

// queryOf returns the call's query and the caller's own parameters. It may be the
// call's own.
func (e *encoded) queryOf(c *Client, call *Call, more url.Values) (url.Values, error) {
	values, ok := call.Query.(url.Values)
	if !ok && call.Query != nil {
		var err error
		if values, err = query.Values(call.Query); err != nil {
			return nil, fmt.Errorf("transport: query of %s.%s: %w", c.service, call.Op, err)
		}
	}
	if more != nil {
		if err := e.checkQuery(call, values, more); err != nil {
			return nil, err
		}
		values = maps.Clone(values)
		if values == nil {
			values = url.Values{}
		}
		maps.Copy(values, more)
	}
	return values, nil
}

// checkQuery refuses parameters that the request has a field for, whether it is
// set or not, by documented and by live name.
func (e *encoded) checkQuery(call *Call, values, more url.Values) error {
	documented := call.documented()
	known := append(documented, e.operation.Names(documented)...)
	for name := range more {
		if slices.Contains(known, name) || values.Has(name) {
			return &walletfi.ValidationError{Field: name, Problem: "is documented: set it in the request, not by WithQuery"}
		}
	}
	return nil
}

// documented are the names of the query parameters.
func (c *Call) documented() []string {
	return append(parameters(reflect.TypeOf(c.Query)), c.Parameters...)
}

// parameters are the names in a struct's url tags.
func parameters(t reflect.Type) (names []string) {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("url"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

func (e *encoded) setBody(c *Client, call *Call) error {
	if call.Body == nil {
		return nil
	}
	value, splice := call.Body, Spliced{}
	if s, ok := call.Body.(Spliced); ok {
		value, splice = s.Rest, s
	}
	body, err := marshal(value)
	if err != nil {
		return fmt.Errorf("transport: body of %s.%s: %w", c.service, call.Op, err)
	}
	if e.body, err = e.operation.ToLive(body); err != nil {
		return err
	}
	if splice.Key != "" {
		if e.body, err = splice.into(e.body, e.operation.Key(splice.Key)); err != nil {
			return err
		}
	}
	e.body, err = e.operation.Finish(e.body)
	return err
}

// marshal is json.Marshal without the escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// into puts the echoed member at the end of an encoded object, under its live name.
func (s Spliced) into(object []byte, name string) ([]byte, error) {
	if !json.Valid(s.Raw) {
		return nil, &walletfi.ValidationError{Field: s.Key, Problem: "is not the JSON that the service sent"}
	}
	key, _ := marshal(name) // any text can be
	rest, isObject := bytes.CutSuffix(object, []byte("}"))
	if !isObject {
		return nil, fmt.Errorf("transport: nothing to put %s into", s.Key)
	}
	out := slices.Clip(rest)
	if string(out) != "{" {
		out = append(out, ',')
	}
	out = append(append(out, key...), ':')
	out = append(out, s.Raw...)
	return append(out, '}'), nil
}
