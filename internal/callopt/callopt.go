// Package callopt holds what the options of a call add up to. It is apart from
// package walletfi so that the clients can read the settings and programs see
// only the functions that set them.
package callopt

import (
	"net/http"
	"net/url"
	"time"
)

// Settings is the sum of a call's options.
type Settings struct {
	// Capture gets each response of the call, and zero values before the first
	// attempt. It may be nil.
	Capture func(status int, header http.Header, body []byte)
	Header  http.Header   // extra headers, may be nil
	Query   url.Values    // extra query parameters, may be nil
	Timeout time.Duration // of an attempt; 0 means the client's
	NoRetry bool          // the call is made at most once
	// Progress gets how many items of a batch are done, one call at a time. It may
	// be nil.
	Progress func(done, total int)
	Urgent   bool // the call goes to the head of the limiter's queue
	// LateSigners may sign a relayed transaction after the service has it.
	LateSigners []string
	// Declared gets each call, a transport.Call, before it is checked: tests hold
	// the answers to what it declares. It may be nil.
	Declared func(service string, call any)
	Err      error // an invalid option, reported before anything is sent
}

// Option sets one of them. walletfi.CallOption is the same struct: it converts, and
// programs cannot see into it.
type Option struct{ set func(*Settings) }

// New returns the option that set makes.
func New(set func(*Settings)) Option { return Option{set} }

// Of returns what opts, of type walletfi.CallOption, add up to.
func Of[O ~struct{ set func(*Settings) }](opts []O) Settings {
	var s Settings
	for _, opt := range opts {
		if o := Option(opt); o.set != nil {
			o.set(&s)
		}
	}
	return s
}
