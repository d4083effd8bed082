package dialect

import (
	"maps"
	"net/http"
	"net/textproto"
	"slices"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// headers has canonical names.
type headers struct {
	live    map[string]string // neutral to live
	neutral map[string]string
}

func compileHeaders(field string, given *deployment.Service) (h headers, err error) {
	names := make(map[string]string, len(given.Headers))
	for _, name := range inOrder(given.Headers) {
		neutral, live := canonical(name), given.Headers[name]
		if names[neutral] != "" {
			return h, problem(field+".headers."+name, "%q is there twice", neutral)
		}
		if err := checkHeader(field+".headers."+name, live); err != nil {
			return h, err
		}
		names[neutral] = canonical(live)
	}
	h.live, h.neutral, err = bothWays(names, func(string) string { return field + ".headers" })
	return h, err
}

func canonical(name string) string { return textproto.CanonicalMIMEHeaderKey(name) }

// reserved are the headers of the connection and of the body's length, which
// net/http sets.
var reserved = []string{
	"Host", "Content-Length", "Transfer-Encoding", "Trailer", "Te", "Connection",
	"Keep-Alive", "Upgrade", "Proxy-Connection",
	"Idempotency-Key", "X-Idempotency-Key",
}

func checkHeader(field, name string) error {
	switch {
	case name == "" || !peer.ValidHeader(name):
		return problem(field, "%q is not a header's name", name)
	case slices.Contains(reserved, canonical(name)):
		return problem(field, "%q is not the deployment's to set", name)
	}
	return nil
}

// Rename puts the headers in h, which is the caller's to change, under their live
// names.
func (s *Service) Rename(h http.Header) {
	if s == nil || len(s.headers.live) == 0 {
		return
	}
	renamed := http.Header{}
	for name, live := range s.headers.live {
		if values, ok := h[name]; ok {
			renamed[live] = values
			delete(h, name)
		}
	}
	for live, values := range renamed {
		h[live] = slices.Concat(values, h[live])
	}
}

// Header returns the live name of a header.
func (s *Service) Header(name string) string {
	if s == nil {
		return name
	}
	if live := s.headers.live[canonical(name)]; live != "" {
		return live
	}
	return name
}

// AnswerHeaders returns the headers of an answer under their neutral names: h
// itself, which is not changed, if none is translated. Values that come under a
// neutral name all the same are added at the end.
func (s *Service) AnswerHeaders(h http.Header) http.Header {
	if s == nil {
		return h
	}
	var neutral http.Header
	for live, name := range s.headers.neutral {
		values, ok := h[live]
		if !ok {
			continue
		}
		if neutral == nil {
			neutral = s.otherHeaders(h)
		}
		neutral[name] = slices.Concat(values, neutral[name])
	}
	if neutral == nil {
		return h
	}
	return neutral
}

// otherHeaders copies the headers that do not come under a live name.
func (s *Service) otherHeaders(h http.Header) http.Header {
	others := maps.Clone(h)
	maps.DeleteFunc(others, func(name string, _ []string) bool { return s.headers.neutral[name] != "" })
	return others
}

// SetsHeader reports whether a header of this name is the client's to set: the live
// name of a documented one, a credential's, or an extra one.
func (o *Operation) SetsHeader(name string) bool {
	if o == nil {
		return false
	}
	name = canonical(name)
	if o.service.headers.neutral[name] != "" || o.extra.headers[name] != "" {
		return true
	}
	return slices.ContainsFunc(o.service.auth, func(p place) bool { return p.in == deployment.InHeader && p.name == name })
}
