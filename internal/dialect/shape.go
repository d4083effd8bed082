package dialect

import (
	"bytes"
	"slices"
)

// Answer is the body of an answer on its way in.
type Answer struct {
	Came    []byte // the part that its steps unwrap and only lead to, as it came
	Neutral []byte // in the documentation's words and shape
	// Err says what number would have to be rounded. Neutral has it as it came.
	Err error
}

// Answer reads the body of a success. If its steps do not fit, it is read as it came.
func (o *Operation) Answer(body []byte) Answer {
	if o == nil {
		return Answer{Came: body, Neutral: body}
	}
	a := Answer{Came: body}
	text, _, ok := shaped(body, o.answer)
	if ok && !o.echoWhole {
		a.Came = inner(body, o.answer)
	}
	a.Neutral, a.Err = o.ToNeutral(text)
	return a
}

// Envelope is the body of a success of which a part is unwrapped, in the documentation's words, for
// what it says besides that part. It is nil if no part is.
func (o *Operation) Envelope(body []byte) []byte {
	unwraps := func(s step) bool { return len(s.at) == 0 && len(s.unwrap) > 0 }
	if o == nil || !slices.ContainsFunc(o.answer, unwraps) {
		return nil
	}
	envelope, _ := o.ToNeutral(body)
	return envelope
}

// Failure reads the body of an error, of which nothing is lost for a number.
func (o *Operation) Failure(body []byte) []byte {
	if o == nil {
		return body
	}
	text, _, _ := shaped(body, o.service.failure)
	text, _ = o.ToNeutral(text)
	return text
}

// KeepsWhole reports whether the part of an answer that goes back says all that the
// answer says: no step takes anything from elsewhere.
func (o *Operation) KeepsWhole() bool { return o == nil || o.echoWhole || isInner(o.answer) }

// EchoesWhole reports whether the whole answer goes back.
func (o *Operation) EchoesWhole() bool { return o != nil && o.echoWhole }

// Again reads the part of an answer that went back, as [Operation.Answer] did.
func (o *Operation) Again(came []byte) Answer {
	if o == nil {
		return Answer{Came: came, Neutral: came}
	}
	if o.echoWhole {
		return o.Answer(came)
	}
	a := Answer{Came: came}
	a.Neutral, a.Err = o.ToNeutral(came)
	return a
}

// Finish gives a translated body the deployment's shape, and adds what the
// documentation does not know. If it does not fit, that is a
// walletfi.ValidationError.
func (o *Operation) Finish(body []byte) ([]byte, error) {
	if o == nil || len(body) == 0 {
		return body, nil
	}
	out, misfit, ok := shaped(body, o.body)
	if !ok {
		return nil, problem(indexed(o.field+".body", misfit), "finds nothing to work on in the request's body")
	}
	if len(o.extra.body) == 0 || bytes.TrimLeft(out, " \t\r\n")[0] != '{' {
		return out, nil
	}
	for _, name := range inOrder(o.extra.body) {
		if out, ok = (path{name}).put(out, o.extra.body[name], false); !ok {
			return nil, problem(o.field+".extra.body."+name, "is in the request's body already")
		}
	}
	return out, nil
}
