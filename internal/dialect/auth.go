package dialect

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// place is where a credential goes.
type place struct {
	in           deployment.In
	name, prefix string // a header's name is canonical
	own          bool   // the client's credential, else secret
	secret       walletfi.Secret
}

func compilePlaces(field string, given []deployment.Place, secrets map[string]walletfi.Secret) ([]place, error) {
	places := make([]place, len(given))
	for i, g := range given {
		p := &places[i]
		*p = place{in: g.In, name: g.Name, prefix: g.Prefix, own: g.Secret == ""}
		if g.In == deployment.InHeader {
			p.name = canonical(g.Name)
		}
		if p.own {
			continue
		}
		p.secret = secrets[g.Secret]
		switch text := p.secret.Reveal(); {
		case text == "":
			return nil, problem("secrets."+g.Secret, "is missing: %s.secret names it", indexed(field, i))
		case !peer.ValidHeaderValue(text):
			return nil, problem("secrets."+g.Secret, "holds a line break or another control character")
		case text != strings.TrimSpace(text):
			return nil, problem("secrets."+g.Secret, "begins or ends with a blank")
		}
	}
	return places, nil
}

// OwnCredential reports whether the client's own credential goes anywhere.
func (s *Service) OwnCredential() bool {
	return s == nil || !s.noAuth && (len(s.auth) == 0 || slices.ContainsFunc(s.auth, func(p place) bool { return p.own }))
}

// CheckCredential refuses a place for the client's own credential if it has none in
// any case.
func (s *Service) CheckCredential() error {
	if s == nil {
		return nil
	}
	for i, p := range s.auth {
		if p.own {
			return problem(indexed(s.field+".auth", i)+".secret", "is required: the service has no credential of its own")
		}
	}
	return nil
}

// Secrets are those of the options that the deployment uses.
func (s *Service) Secrets() []string {
	if s == nil {
		return nil
	}
	var secrets []string
	for _, p := range s.auth {
		if !p.own {
			secrets = append(secrets, p.secret.Reveal())
		}
	}
	return secrets
}

// Authorise puts a credential into the headers of an attempt, which are the caller's
// to change, and returns the parameters that it adds to the query. own has the
// client's own credential in the documented header, whose value begins with scheme;
// it is empty if there is none.
func (s *Service) Authorise(header, own http.Header, scheme string) url.Values {
	switch {
	case s.noAuth:
		return nil
	case len(s.auth) == 0:
		own = own.Clone()
		s.Rename(own)
		for name, values := range own {
			header[name] = values
		}
		return nil
	}
	var query url.Values
	for _, p := range s.auth {
		text := p.secret.Reveal()
		if p.own {
			if text = credential(own, scheme); text == "" {
				continue
			}
		}
		if text = p.prefix + text; p.in == deployment.InHeader {
			header[p.name] = []string{text}
			continue
		}
		if query == nil {
			query = url.Values{}
		}
		query.Set(p.name, text)
	}
	return query
}

// credential is the value of the only header, without its scheme.
func credential(own http.Header, scheme string) string {
	for _, values := range own {
		for _, value := range values {
			return strings.TrimPrefix(value, scheme)
		}
	}
	return ""
}
