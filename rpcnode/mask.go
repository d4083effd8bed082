package rpcnode

import (
	"net/url"
	"strings"
)

// mask takes what the node's URL and headers hold out of texts that others
// wrote: a DNS error names the host, and a gateway may echo a key.
type mask struct{ replacer *strings.Replacer }

// shortestSecret keeps words like "v1" and "rpc" readable.
const shortestSecret = 6

func newMask(cfg Config) *mask {
	var pairs []string
	hide := func(secret string) {
		if len(secret) >= shortestSecret {
			pairs = append(pairs, secret, "[node]")
		}
	}
	text := cfg.URL.Reveal()
	hide(text)
	if u, err := url.Parse(text); err == nil {
		hide(u.RequestURI())
		if password, ok := u.User.Password(); ok {
			hide(password)
		}
		hide(u.User.Username())
		hide(u.Host)
		hide(u.Hostname())
		for part := range strings.SplitSeq(u.Path, "/") {
			hide(part)
		}
		for _, values := range u.Query() {
			for _, value := range values {
				hide(value)
				hide(url.QueryEscape(value))
			}
		}
	}
	for _, value := range cfg.Header {
		hide(value.Reveal())
		hide(strings.TrimPrefix(value.Reveal(), "Bearer "))
	}
	return &mask{strings.NewReplacer(pairs...)}
}

func (m *mask) text(s string) string { return m.replacer.Replace(s) }

// maskedError shows its cause masked and answers to errors.Is as the cause
// does. It does not unwrap, since a log that walks the chain would print it.
type maskedError struct {
	text  string
	cause error
}

func (m *mask) error(err error) error { return &maskedError{m.text(err.Error()), err} }

// Error is the cause's text without what is secret.
func (e *maskedError) Error() string { return e.text }
