package transport

import (
	"cmp"
	"errors"
	"net/http"
	"reflect"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/observe"
)

// reader says how the body of a success is read.
type reader struct {
	into any // a pointer to what the body is decoded into, nil if it is not
	// take gets the body, what became of the attempt, and what decoding says.
	take func(body []byte, last *outcome, err error) error
}

// reading is what a body says, and why it does not fit the result.
type reading struct {
	declared.Reading
	wrong       error
	blank, done bool
}

// read reads the body of a success into the result.
func (x *exchange) read(body []byte) *reading {
	r, into := &x.reading, x.reader.into
	if r.done && into != nil { // that of an earlier attempt was a refusal
		reflect.ValueOf(into).Elem().SetZero()
	}
	r.Waive = x.waive
	r.wrong, r.blank, r.done = nil, jsontext.SkipSpace(body, 0) == len(body), true
	all, deep := false, r.Begin(body, &x.call.Answer)
	if into != nil && !r.blank {
		all, r.wrong = wire.Read(body, into, deep, r)
	}
	if !all {
		r.Walk()
	}
	if into == nil && !r.blank {
		r.wrong = r.Err
	}
	return r
}

// waive lets the breaches of the members through that the options name.
func (x *exchange) waive(b wire.Breach) bool {
	return x.client.lenience.waive(x.loop.Context, x.call.Op, x.call.Method, x.call.Path.template, b)
}

// waived is waive for a member that the call declares, by its path in the answer.
func (x *exchange) waived(path string) bool {
	if x.client.lenience == nil || x.reader.into == nil {
		return false
	}
	return x.waive(wire.Breach{Struct: reflect.TypeOf(x.reader.into).Elem(), Member: path, What: wire.Absent})
}

// result decodes and proves the body of a success.
func (x *exchange) result(last *outcome) error {
	a, body := last.answer, last.payload
	if a.status == http.StatusNotFound {
		return nil // deletedBefore: there is no answer to read
	}
	read := &x.reading
	if err := x.prove(a, body, &read.Reading); err != nil {
		return x.end(err)
	}
	if last.unread != nil {
		return x.end(x.undecodable(a, last.unread))
	}
	if read.blank {
		body = nil
	}
	if x.call.Read != nil {
		x.call.Read(body)
	}
	switch err := x.reader.take(body, last, read.wrong); {
	case errors.Is(err, walletfi.ErrMismatch):
		return x.mismatched(a, err)
	case errors.Is(err, walletfi.ErrNotFound):
		r := x.response(a, x.mask())
		r.Kind, r.Cause = walletfi.ErrNotFound, err
		return x.end(r)
	case err != nil:
		return x.end(x.undecodable(a, x.named(err)))
	}
	x.tellDrift(body)
	return nil
}

// tellDrift tells the observer of what is not documented in the body of a success.
func (x *exchange) tellDrift(body []byte) {
	if x.client.drift == nil || x.call.SecretAnswer {
		return
	}
	hide := func(text string) string { return x.mask().Text(text) }
	x.client.drift.Look(x.call.Method+" "+x.call.Path.template, body, hide, func(member, value string) {
		observing.Tell(x.loop.Context, x.client.observer, observe.Drift{
			Service: x.client.service, Op: x.call.Op, Route: x.call.Path.template, Member: member, Value: value,
		})
	})
}

var errErrorBody = errors.New("the answer is an error under a status of success")

// prove is the stage after decoding: it holds the body of a success against what the
// call declared. What it finds wins over what decoding says.
//
//   - A body that does not say what was declared is walletfi.ErrDecode, and
//     walletfi.ErrOutcomeUnknown for a relay or a creation. An error envelope is
//     the same, unless the service's own envelope says more.
func (x *exchange) prove(a *answer, body []byte, said *declared.Reading) error {
	says := &x.call.Answer
	start := jsontext.SkipSpace(body, 0)
	switch {
	case start == len(body) && says.Form == declared.FormSilent:
		return nil
	case start == len(body):
		return x.undecodable(a, unsaid(says.First()))
	case body[start] == '<' && (says.Form != declared.FormText || isPage(body[start:])):
		return x.undecodable(a, wire.ErrSyntax)
	case said.Err != nil && body[start] == '{' && says.Form == declared.FormText:
		return nil
	case said.Err != nil && body[start] == '{':
		return x.undecodable(a, said.Err)
	}
	var problem error
	if p := said.Problem(x.waived); p != nil {
		problem = &wire.FieldError{Path: p.Path, Problem: p.What}
	}
	switch {
	case said.IsError() && (problem != nil || !says.Named()):
		return x.hollow(a, cmp.Or(problem, errErrorBody))
	case problem != nil:
		return x.undecodable(a, problem)
	}
	return nil
}

// unsaid is what is wrong with an empty body that should say what is at path.
func unsaid(path string) error {
	if path == "" {
		return wire.ErrEmpty
	}
	return &wire.FieldError{Path: path, Problem: "required, and missing: " + wire.ErrEmpty.Error()}
}

// named adds the name of the member that a call declares to an error that names
// none, if only the decoder of the result knows where the member is.
func (x *exchange) named(err error) error {
	says := &x.call.Answer
	if says.Named() || says.First() == "" || !wire.IsJSON(err) {
		return err
	}
	if e, ok := errors.AsType[*wire.FieldError](err); ok && e.Path != "" {
		return err
	}
	if _, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		return err
	}
	return &wire.FieldError{Path: says.First(), Problem: err.Error()}
}

// isPage reports a page of HTML. Markdown can begin with a tag as well.
func isPage(text []byte) bool {
	head := strings.ToLower(string(text[:min(len(text), 16)]))
	return strings.HasPrefix(head, "<!doctype") || strings.HasPrefix(head, "<html")
}

// hollow types a success whose body looks like an error and lacks what was declared: by
// the service's own envelope, else as one that cannot be read.
func (x *exchange) hollow(a *answer, cause error) error {
	verdict := x.refusal(a, walletfi.ErrRejected)
	if plain, ok := verdict.Err.(*walletfi.ResponseError); ok {
		plain.Kind, plain.Cause = walletfi.ErrDecode, cause
	}
	x.doubtRefusal(verdict)
	return verdict.Err
}

// doubtRefusal makes an unknown outcome of a refusal in a success, if the call is a
// relay or a creation and no code of the service's says that nothing was done.
func (x *exchange) doubtRefusal(said Verdict) {
	moves := x.call.Effect == Relay || x.call.Effect == Create
	if moves && !said.NothingDone && !said.RateLimited {
		x.progress.doubt = true
		if said.response.Kind == walletfi.ErrRejected {
			said.response.Kind = nil // it promises that nothing was done
		}
	}
	said.response.Kind = x.kept(said.response.Kind)
}
