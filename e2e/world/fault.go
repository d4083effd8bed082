package world

import (
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
