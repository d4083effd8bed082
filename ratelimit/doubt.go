package ratelimit

import "time"

// doubt is a wait that the service stated and may not mean. Instants are the time
// since the limiter was made.
type doubt struct {
	until time.Duration // there is no doubt from then on
	*probing
}

// probing is how far the probes of a doubt are, nil before the first doubt.
type probing struct {
	probes   probes
	probe    *permit // of the probe under way, nil if there is none
	before   probes  // as probes was before that probe
	answered bool    // a probe was, perhaps
}

// probes says when the next probes may go.
type probes struct {
	ordinary, urgent schedule
}

// schedule is one of probes at growing intervals.
type schedule struct {
	at    time.Duration // of the next probe
	pause time.Duration // between it and the one before
	most  time.Duration // that pause grows to
}

// begin begins a doubt in which the first ordinary probe goes after pause, or prolongs
// the one that there is.
func (d *doubt) begin(now, pause, until time.Duration) {
	if now >= d.until {
		d.probing = &probing{probes: probes{
			ordinary: schedule{addSaturating(now, pause), pause, never},
			urgent:   schedule{now + UrgentProbe, UrgentProbe, lastUrgentProbe},
		}}
		d.until = 0
	}
	d.until = max(d.until, until)
}

// ready reports whether a request of this rank may go.
func (d *doubt) ready(r rank, now time.Duration) bool {
	return now >= d.until || d.probe == nil && now >= d.probes.at(r)
}

// earliest returns when a request of this rank can go at the earliest. Of a probe under
// way it is not known when it ends: whoever waits for that looks again.
func (d *doubt) earliest(r rank, now time.Duration) time.Duration {
	if now >= d.until {
		return now
	}
	at := d.probes.at(r)
	if d.probe != nil {
		at = max(at, now+time.Second)
	}
	return min(at, d.until)
}

// reserve notes that a request was admitted, which is a probe if there is a doubt. The
// next one waits longer, whatever becomes of this one.
func (d *doubt) reserve(p *permit, now time.Duration) {
	if now >= d.until {
		return
	}
	d.probe, d.before = p, d.probes
	if now >= d.probes.ordinary.at {
		d.probes.ordinary.next(now)
	}
	d.probes.urgent.next(now)
}

// release ends the request of p. The pauses after a probe count from its answer; one that
// was not sent is none.
func (d *doubt) release(p *permit, now time.Duration, sent bool) {
	if d.probing == nil || d.probe != p {
		return
	}
	d.probe = nil
	if !sent {
		d.probes = d.before
		return
	}
	d.answered = true
	d.probes.urgent.at = now + d.probes.urgent.pause
	if o := &d.probes.ordinary; o.at != d.before.ordinary.at {
		o.at = addSaturating(now, o.pause)
	}
}

func (p *probes) at(r rank) time.Duration {
	if r <= urgent {
		return min(p.ordinary.at, p.urgent.at)
	}
	return p.ordinary.at
}

func (s *schedule) next(now time.Duration) {
	s.pause = min(2*min(s.pause, never/2), s.most)
	s.at = addSaturating(now, s.pause)
}
