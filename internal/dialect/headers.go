package dialect

import (
	"maps"
	"net/http"
	"net/textproto"
	"slices"

	"github.com/walletfi/walletfi-go/deployment"
)

// headers has canonical names.
type headers struct {
	live    map[string]string // neutral to live
	neutral map[string]string
}

func compileHeaders(given map[string]string) headers {
	h := headers{make(map[string]string, len(given)), make(map[string]string, len(given))}
	for name, live := range given {
		name, live = canonical(name), canonical(live)
		h.live[name], h.neutral[live] = live, name
	}
	return h
}

func canonical(name string) string { return textproto.CanonicalMIMEHeaderKey(name) }

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
