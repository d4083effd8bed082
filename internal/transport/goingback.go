package transport

import (
	"bytes"
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/stored"
)

// Capture copies the body of an answer, as it came, into into; the caller's own capture
// gets the response too.
func Capture(into *[]byte) walletfi.CallOption {
	return walletfi.CallOption(callopt.New(func(s *callopt.Settings) {
		callers := s.Capture
		s.Capture = func(status int, header http.Header, body []byte) {
			*into = body
			if callers != nil {
				callers(status, header, body)
			}
		}
	}))
}

// GoesBack prepares a call of which a part of the answer goes back to the service. If
// that part does not say all that the answer says under the client's deployment, whole
// gets the answer.
func (c *Client) GoesBack(call *Call, whole *[]byte, opts []walletfi.CallOption) []walletfi.CallOption {
	if c.Dialect().Operation(call.Method, call.Path.template).KeepsWhole() {
		return opts
	}
	return append(slices.Clip(opts), Capture(whole))
}

// Origin is where the typed fields of an answer come from that this client has
// decoded: a part of it goes back, and whole is what GoesBack captured.
func (c *Client) Origin(whole []byte) stored.Origin {
	return stored.Origin{Live: c.Dialect() != nil, Fresh: c.Dialect() != nil, Whole: string(whole)}
}

// Again returns in the documentation's words and shape what of an answer goes back, so
// that it can be decoded once more. It is false if nothing is to be done: the fields
// were decoded by this process's client, or from these very bytes.
func (c *Client) Again(
	method string, path Target, came []byte, from stored.Origin,
) (neutral []byte, again bool, err error) {
	if from.Fresh || c.Dialect() == nil && !from.Live {
		return nil, false, nil
	}
	o := c.Dialect().Operation(method, path.template)
	var a dialect.Answer
	if from.Whole == "" {
		a = o.Again(came)
	} else {
		a = o.Answer([]byte(from.Whole))
		if part := c.partOf(o, a.Came); !bytes.Equal(bytes.TrimSpace(part), bytes.TrimSpace(came)) {
			return nil, true, &walletfi.MismatchError{Field: "whole", Asked: string(came), Answered: string(part)}
		}
	}
	return a.Neutral, true, a.Err
}
