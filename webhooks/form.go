package webhooks

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// TimestampForm is the form in which a service, or a [DeliverySigner], writes the timestamp header.
type TimestampForm int

// The forms.
const (
	TimestampSeconds      TimestampForm = iota // since 1970
	TimestampMilliseconds                      // since 1970
	TimestampRFC3339                           // such as 2026-01-02T15:04:05Z, and other date-times of ISO 8601
)

// microseconds are taken, and are no form of a DeliverySigner. noForm is of anything else.
const (
	noForm       TimestampForm = -1
	microseconds TimestampForm = -2
)

func (f TimestampForm) format(at time.Time) string {
	switch f {
	case TimestampMilliseconds:
		return strconv.FormatInt(at.UnixMilli(), 10)
	case TimestampRFC3339:
		return at.UTC().Format(time.RFC3339Nano)
	}
	return strconv.FormatInt(at.Unix(), 10)
}

// formOf returns the form of a timestamp that reads as a time.
func formOf(text string, at time.Time) TimestampForm {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil:
		return TimestampRFC3339
	case n == at.Unix():
		return TimestampSeconds
	case n == at.UnixMilli():
		return TimestampMilliseconds
	case n == at.UnixMicro():
		return microseconds
	}
	return noForm // a date without separators
}

// learned is the form of a sender, nil as long as it is not known.
type learned struct{ form atomic.Pointer[TimestampForm] }

// inForm refuses a form that the sender does not use. The signature covers nonce and timestamp
// without a separator: whoever recorded a delivery in seconds whose nonce ends in digits can
// give it again months later as one in milliseconds, and the other way round, under the same
// signature.
func (v *Verifier) inForm(s signed) error {
	at, _ := timestamp(s.timestamp)
	form := formOf(s.timestamp, at)
	if len(v.Forms) > 0 && !slices.Contains(v.Forms, form) {
		return fmt.Errorf("%w: it is not in a form of Verifier.Forms", ErrTimestamp)
	}
	if v.learned == nil {
		return nil
	}
	known := v.learned.form.Load()
	if known == nil || *known == form || !v.ambiguous(s, func(other TimestampForm) bool { return other == *known }) {
		return nil
	}
	return fmt.Errorf("%w: it may be the end of one in the form that the service writes", ErrTimestamp)
}

// learn keeps the form of a delivery whose signature is right, unless it can be read in another.
func (v *Verifier) learn(s signed) {
	if v.learned == nil {
		return
	}
	at, _ := timestamp(s.timestamp)
	form := formOf(s.timestamp, at)
	known := v.learned.form.Load()
	if known != nil && *known == form || v.ambiguous(s, func(TimestampForm) bool { return true }) {
		return
	}
	v.learned.form.Store(&form)
}

// ambiguous reports whether the end of nonce and timestamp, cut elsewhere, is a timestamp that the
// service may have written, in a form that counts.
func (v *Verifier) ambiguous(s signed, counts func(TimestampForm) bool) bool {
	const firstYear = 2020
	all := s.nonce + s.timestamp
	for from := max(1, len(all)-longestTimestamp); from < len(all); from++ {
		at, err := timestamp(all[from:])
		if err != nil || strings.HasPrefix(all[from:], "0") || from == len(s.nonce) {
			continue
		}
		past := at.Year() >= firstYear && at.Sub(v.now()) <= v.maxAhead()
		if past && counts(formOf(all[from:], at)) {
			return true
		}
	}
	return false
}
