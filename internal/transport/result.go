package transport

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/declared"
	"github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/lenient"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/observe"
)

// reader says how the body of a success is read.
type reader struct {
	// fast takes a body that needs no decoding, or returns false. It may be nil.
	fast func(body []byte) bool
	// decode gets the body to decode, what became of the attempt, and what the walk
	// over the body found. body is nil if fast has taken it.
	decode func(body []byte, last *outcome, w *lenient.Walk) error
}

// result proves and decodes the body of a success.
func (x *exchange) result(last *outcome, r reader) error {
	a := last.answer
	if a.status == http.StatusNotFound {
		return nil // deletedBefore: there is no answer to read
	}
	body, taken := last.payload, x.taken
	if !taken {
		taken = x.fast != nil && x.fast(body)
	}
	if !taken || !x.call.Proving {
		var err error
		if body, err = x.prove(a, body, taken); err != nil {
			return x.end(err)
		}
	}
	if last.unread != nil {
		return x.end(x.undecodable(a, last.unread))
	}
	if x.call.Read != nil {
		x.call.Read(body)
	}
	neutral := body
	if taken {
		body = nil
	}
	if err := r.decode(body, last, &x.walk); errors.Is(err, walletfi.ErrMismatch) {
		return x.mismatched(a, err)
	} else if err != nil {
		return x.end(x.undecodable(a, x.named(err)))
	}
	x.tellDrift(neutral)
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

var (
	errErrorBody = errors.New("the answer is an error under a status of success")
)

// prove is the stage between judge and decode: it holds the body of a
// success against what the call declared, and returns the body to decode.
//
//   - success:false is walletfi.ErrRejected, and walletfi.ErrOutcomeUnknown for
//     a relay or a creation, unless the service's own code says that nothing
//     was done.
//   - A body that does not say what was declared is walletfi.ErrDecode, and
//     walletfi.ErrOutcomeUnknown for a relay or a creation. An error envelope is
//     the same, unless the service's own envelope says more.
//
// quick reads no further than the declared members. It is for a body that a
// strict reader took, which refuses what quick does not see. Any other body is
// walked through to its end, for the decoding too.
func (x *exchange) prove(a *answer, body []byte, quick bool) ([]byte, error) {
	says := &x.call.Answer
	start := jsontext.SkipSpace(body, 0)
	switch {
	case start == len(body) && says.Form == declared.FormSilent:
		return nil, nil
	case start == len(body):
		return nil, x.undecodable(a, unsaid(says.First()))
	case body[start] == '<' && (says.Form != declared.FormText || isPage(body[start:])):
		return nil, x.undecodable(a, lenient.ErrSyntax)
	}
	var read declared.Reading
	if !quick && x.call.result != nil && x.walk.Begin(body, x.call.result) {
		read.Values = &x.walk
	}
	if !read.Read(body, says, quick) {
		if says.Form == declared.FormText {
			return body, nil
		}
		return nil, x.undecodable(a, cmp.Or(lenient.WellFormed(body), lenient.ErrSyntax))
	}
	var problem error
	if p := read.Problem(); p != nil {
		problem = &lenient.FieldError{Path: p.Path, Problem: p.What}
	}
	switch {
	case read.Refused && !read.Twice():
		return nil, x.refusedInBody(a, walletfi.ErrRejected, nil)
	case read.IsError() && (problem != nil || !says.Named()):
		return nil, x.refusedInBody(a, walletfi.ErrDecode, cmp.Or(problem, errErrorBody))
	case problem != nil:
		return nil, x.undecodable(a, problem)
	}
	return read.Body(), nil
}

// unsaid is what is wrong with an empty body that should say what is at path.
func unsaid(path string) error {
	if path == "" {
		return lenient.ErrEmpty
	}
	return &lenient.FieldError{Path: path, Problem: "required, and missing: " + lenient.ErrEmpty.Error()}
}

// named adds the name of the member that a call declares to an error that names
// none, if only the decoder of the result knows where the member is.
func (x *exchange) named(err error) error {
	says := &x.call.Answer
	if says.Named() || says.First() == "" || !lenient.IsJSON(err) {
		return err
	}
	if e, ok := errors.AsType[*lenient.FieldError](err); ok && e.Path != "" {
		return err
	}
	if _, ok := errors.AsType[*walletfi.UnreadError](err); ok {
		return err
	}
	return &lenient.FieldError{Path: says.First(), Problem: err.Error()}
}

// isPage reports a page of HTML. Markdown can begin with a tag as well.
func isPage(text []byte) bool {
	head := strings.ToLower(string(text[:min(len(text), 16)]))
	return strings.HasPrefix(head, "<!doctype") || strings.HasPrefix(head, "<html")
}

// refusedInBody types a success whose body is a refusal: by the service's own
// envelope, else by kind.
func (x *exchange) refusedInBody(a *answer, kind, cause error) error {
	verdict := x.refusal(a, walletfi.ErrRejected)
	if plain, ok := verdict.Err.(*walletfi.ResponseError); ok {
		plain.Kind, plain.Cause = kind, cause
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
