package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
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
	if err := e.setQuery(c, call); err != nil {
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
		case c.words.isLiveHeader(name):
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

func (e *encoded) setQuery(c *Client, call *Call) error {
	if call.Query == nil {
		return nil
	}
	values, ok := call.Query.(url.Values)
	if !ok {
		var err error
		if values, err = query.Values(call.Query); err != nil {
			return fmt.Errorf("transport: query of %s.%s: %w", c.service, call.Op, err)
		}
	}
	e.url.RawQuery = c.words.query(values).Encode()
	return nil
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
