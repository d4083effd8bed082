package redislimit

import "time"

// state is the scope as this process last saw it, and its own part in it.
type state struct {
	epoch   string // Redis's state that this process has reported to; "" if none
	session int64  // of reports; Redis ignores commands of an earlier one
	seq     int64  // the last of Redis's that was seen
	unsure  bool   // a command may or may not have been executed

	underWay int      // requests that were permitted and have not ended
	owed     int      // requests that ended and Redis may not know
	probing  bool     // one of those under way probes a doubt
	sent     []ledger // by window

	now int64 // Redis's clock at
	at  time.Time
}

// ledger has how many slots of this process come free at each tick.
type ledger map[int64]int64

func (s *state) due() bool { return s.unsure || s.epoch == "" }

// counts reports whether anything of this process counts in Redis.
func (s *state) counts() bool {
	if s.underWay > 0 || s.owed > 0 {
		return true
	}
	for _, l := range s.sent {
		if len(l) > 0 {
			return true
		}
	}
	return false
}

func (s *state) seen(a answer) {
	s.seq = max(s.seq, a.seq)
	if a.now >= s.now {
		s.now, s.at = a.now, time.Now()
	}
}

// note writes down answers that came at an instant of Redis's clock.
func (s *state) note(windows [][3]int64, now int64, n int) {
	for i, w := range windows {
		if s.sent[i] == nil {
			s.sent[i] = ledger{}
		}
		s.sent[i][(now+w[1])/w[2]+1] += int64(n)
		if len(s.sent[i]) > 2*ticks {
			s.sent[i].forget(w[2], now)
		}
	}
}

// ended notes a request whose end Redis may not know.
func (s *state) ended(sent bool) {
	s.underWay--
	if sent {
		s.owed++
	}
}

// report is sent as the script takes it.
func (s *state) report() [][][2]int64 {
	all := make([][][2]int64, len(s.sent))
	for i, l := range s.sent {
		all[i] = make([][2]int64, 0, len(l))
		for at, n := range l {
			all[i] = append(all[i], [2]int64{at, n})
		}
	}
	return all
}

func (s *state) reported(windows [][3]int64, a answer, owed int) {
	s.epoch, s.unsure, s.seq = a.epoch, false, a.seq
	s.now, s.at = a.now, time.Now()
	for i, w := range windows {
		s.sent[i].cap((a.now+w[1])/w[2] + 1)
	}
	if owed > 0 {
		s.owed -= owed
		s.note(windows, a.now, owed)
	}
}

// forget drops the slots that came free by now.
func (s *state) forget(windows [][3]int64) {
	now := s.now + time.Since(s.at).Microseconds()
	for i, w := range windows {
		s.sent[i].forget(w[2], now)
	}
}

func (l ledger) forget(tick, now int64) {
	for at := range l {
		if at*tick <= now {
			delete(l, at)
		}
	}
}

// cap has what would come free later do so at the latest tick that there can be: Redis's
// clock was ahead when it was noted.
func (l ledger) cap(latest int64) {
	for at, n := range l {
		if at > latest {
			delete(l, at)
			l[latest] += n
		}
	}
}
