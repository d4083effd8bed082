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
	"strings"

	"github.com/google/go-querystring/query"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// encoded is a request that is ready to be sent any number of times.
type encoded struct {
	url  url.URL
	body []byte // nil for none
}

// encode checks a call and writes it in the service's words.
func (c *Client) encode(call *Call, settings *callopt.Settings) (e encoded, err error) {
	if call.Effect == 0 {
		return e, fmt.Errorf("transport: %s.%s has no effect", c.service, call.Op)
	}
	if call.Answer.Form == 0 {
		return e, fmt.Errorf("transport: %s.%s does not declare its answer", c.service, call.Op)
	}
	if call.Invalid != nil {
		return e, call.Invalid
	}
	if settings.Err != nil {
		return e, settings.Err
	}
	if err := c.checkHeader(settings.Header); err != nil {
		return e, err
	}
	e.url = *c.base
	if err := e.setPath(c, call); err != nil {
		return e, err
	}
	if err := e.setQuery(c, call, settings.Query); err != nil {
		return e, err
	}
	return e, e.setBody(c, call)
}

// checkHeader refuses what net/http would refuse only when the request is on
// its way, and the live name of a header that is the client's own.
func (c *Client) checkHeader(extra http.Header) error {
	for _, name := range inOrder(extra) {
		switch {
		case !peer.ValidHeader(name, extra[name]...):
			return &walletfi.ValidationError{Field: "header", Problem: "name or value holds a character that no header can carry"}
		case c.words.isLiveHeader(name), c.auth != nil && textproto.CanonicalMIMEHeaderKey(name) == c.auth.Header():
			return &walletfi.ValidationError{Field: "header", Problem: name + " is set by the client itself"}
		}
	}
	return nil
}

func (e *encoded) setPath(c *Client, call *Call) error {
	path, err := call.Path.escaped(c.words.segment)
	if err != nil {
		return err
	}
	raw := c.base.EscapedPath() + path
	if !strings.Contains(raw, "%") {
		e.url.Path, e.url.RawPath = raw, ""
		return nil
	}
	plain, err := url.PathUnescape(raw)
	e.url.Path, e.url.RawPath = plain, raw
	return err
}

func (e *encoded) setQuery(c *Client, call *Call, more url.Values) error {
	if call.Query == nil && more == nil {
		return nil
	}
	values, ok := call.Query.(url.Values)
	if !ok && call.Query != nil {
		var err error
		if values, err = query.Values(call.Query); err != nil {
			return fmt.Errorf("transport: query of %s.%s: %w", c.service, call.Op, err)
		}
	}
	if more != nil {
		if err := c.checkQuery(call, values, more); err != nil {
			return err
		}
		values = maps.Clone(values)
		if values == nil {
			values = url.Values{}
		}
		maps.Copy(values, more)
	}
	e.url.RawQuery = c.words.query(values).Encode()
	return nil
}

// checkQuery refuses parameters that the request has a field for, whether it is
// set or not.
func (c *Client) checkQuery(call *Call, values, more url.Values) error {
	documented := parameters(reflect.TypeOf(call.Query))
	for _, name := range call.Parameters {
		documented[name] = []string{""}
	}
	for name := range c.words.query(documented) {
		documented[name] = nil
	}
	for name := range more {
		if _, known := documented[name]; known || values.Has(name) {
			return &walletfi.ValidationError{Field: name, Problem: "is documented: set it in the request, not by WithQuery"}
		}
	}
	return nil
}

// parameters are the names in a struct's url tags.
func parameters(t reflect.Type) url.Values {
	names := url.Values{}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return names
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("url"), ","); name != "" && name != "-" {
			names[name] = []string{""} // a value, for what translates them
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
	e.body = c.words.toLive(body)
	if splice.Key != "" {
		e.body, err = splice.into(e.body, c.words)
	}
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

// into puts the echoed member at the end of an encoded object.
func (s Spliced) into(object []byte, words *vocabulary) ([]byte, error) {
	if !json.Valid(s.Raw) {
		return nil, &walletfi.ValidationError{Field: s.Key, Problem: "is not the JSON that the service sent"}
	}
	key, err := marshal(s.Key)
	if err != nil || len(object) < 2 || object[len(object)-1] != '}' {
		return nil, fmt.Errorf("transport: nothing to put %s into", s.Key)
	}
	// The key alone is translated; the member stays as it came.
	member := words.toLive([]byte("{" + string(key) + ":0}"))
	out := append([]byte(nil), object[:len(object)-1]...)
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(out, member[1:len(member)-2]...)
	out = append(out, s.Raw...)
	return append(out, '}'), nil
}
