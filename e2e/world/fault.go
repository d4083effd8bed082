package world

import (
	"bytes"
	"slices"
	"strconv"
	"time"
)

// faultKind says how a request goes wrong at the front of an endpoint.
type faultKind int

const (
	faultNone faultKind = iota
	faultStatus
	faultLost  // the connection breaks before the request is served
	faultReset // or after
	faultGarble
)

// fault is what goes wrong with a request.
type fault struct {
	kind faultKind
	h    uint64
	hang time.Duration
}

// fault draws what goes wrong with a request.
func (e *Endpoint) fault(key uint64, at int64) fault {
	p := &e.cfg.Profile
	if p.Fail == 0 && p.Reset == 0 && p.Hang == 0 && p.Garble == 0 {
		return fault{}
	}
	h := draw(e.seed, forFault, key, uint64(at))
	f := fault{h: draw(e.seed, forFaultKind, key, uint64(at))}
	lost := faultReset
	if f.h%2 == 0 {
		lost = faultLost
	}
	u := float64(h>>11) * 0x1p-53
	switch {
	case u < p.Fail:
		f.kind = faultStatus
	case u < p.Fail+p.Reset:
		f.kind = lost
	case u < p.Fail+p.Reset+p.Hang:
		f.kind = lost
		f.hang = p.HangFor
		if f.hang == 0 {
			f.hang = 30 * time.Second
		}
	case u < p.Fail+p.Reset+p.Hang+p.Garble:
		f.kind = faultGarble
	}
	return f
}

// bend turns a good reply into what the fault makes of it. A status of 5xx
// leaves open whether the request was served; here it was.
func (f fault) bend(r reply) reply {
	switch f.kind {
	case faultLost, faultReset:
		r.broken = true
	case faultStatus:
		status := [...]int{500, 502, 503, 504}[f.h%4]
		return reply{status: status, plain: true, body: []byte("upstream failed with " + strconv.Itoa(status))}
	case faultGarble:
		r.body = garble(r.body, f.h)
	}
	return r
}

// garble spoils a body: cut off, a page of HTML, or one byte changed.
func garble(body []byte, h uint64) []byte {
	switch h / 4 % 3 {
	case 0:
		return body[:len(body)/2]
	case 1:
		return []byte("<html><body>Please wait</body></html>")
	}
	spoilt := append([]byte(nil), body...)
	if len(spoilt) > 0 {
		spoilt[int(h>>8%uint64(len(spoilt)))%len(spoilt)] = '\\'
	}
	return spoilt
}

// latency draws the time that a request takes both ways.
func (e *Endpoint) latency(key uint64, at int64) time.Duration {
	low, high := e.w.cfg.LatencyMin, e.w.cfg.LatencyMax
	if high <= low {
		return low
	}
	return low + time.Duration(draw(e.seed, forLatency, key, uint64(at))%uint64(high-low+1))
}

// mixUp is what the front gives in place of an answer. What it gives depends on
// the order of requests at the same instant.
func (e *Endpoint) mixUp(q *query, at int64, body []byte) []byte {
	p := e.cfg.Profile.MixUp
	if p == 0 {
		return body
	}
	if e.given == nil {
		e.given = make(map[string][]byte)
	}
	same, latest := e.given[q.method], e.latest
	e.given[q.method], e.latest = body, body
	h := draw(e.seed, forMixUp, q.key, uint64(at))
	if !chance(p, h) {
		return body
	}
	id := append([]byte(`,"id":`), q.id...)
	bare := bytes.TrimSuffix(body, append(id, '}'))
	switch mix(h) % 8 {
	case 0, 1, 2, 3:
		if same != nil {
			return same
		}
	case 4, 5:
		if latest != nil {
			return latest
		}
	case 6:
		return append(slices.Clone(bare), `,"id":null}`...)
	}
	return append(slices.Clone(bare), '}')
}

// mixUpBatch is mixUp for the answers of a batch.
func (e *Endpoint) mixUpBatch(q *request, at int64, parts [][]byte) [][]byte {
	h := draw(e.seed, forMixUp, q.key, uint64(at))
	if !chance(e.cfg.Profile.MixUp, h) {
		return parts
	}
	switch mix(h) % 3 {
	case 0:
		slices.Reverse(parts)
	case 1:
		parts[0] = parts[len(parts)-1]
	default:
		parts = parts[1:]
	}
	return parts
}
