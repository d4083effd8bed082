package transport

import "encoding/json"

// acceptedLive is accepted under a deployment.
func (x *exchange) acceptedLive(a *answer) (event, judged, error) {
	read := x.request.operation.Answer(a.body)
	read.Neutral = x.request.page.Answered(a.body, read.Neutral)
	result := judged{payload: read.Neutral, came: read.Came, unread: read.Err}
	if accept := x.client.accept; accept != nil && len(read.Neutral) > 0 {
		payload, ok := accept(read.Neutral)
		switch {
		case ok:
			result.payload, result.came = payload, x.cameOf(read.Came)
		case json.Valid(read.Neutral):
			what, failure := x.refusedBy(a)
			return what, judged{}, failure
		}
	}
	return succeeded, result, nil
}

// cameOf is the part of an answer, as it came, that Accept takes out.
func (x *exchange) cameOf(came []byte) []byte {
	if x.client.live == nil {
		return came
	}
	if part, ok := x.client.live(came, x.request.operation.Key); ok {
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
