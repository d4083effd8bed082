package kit

import (
	"net/http"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// Auth says which credential a route takes.
type Auth struct {
	Demand  demand
	Headers []string // any one of them; "Authorization" means a bearer token
}

type demand int

const (
	Inherited   demand = iota // what the service says
	Required                  // exactly one of the headers
	Optional                  // one or no header
	uncertified               // no credential: sending one is a violation
)

// The usual kinds: a key in its own header, a bearer token, no credential.
var (
	HeaderKey         = Auth{Required, []string{"X-Api-Key"}}
	OptionalHeaderKey = Auth{Optional, []string{"X-Api-Key"}}
	Bearer            = Auth{Required, []string{"Authorization"}}
	NoAuth            = Auth{Demand: uncertified}
)

// CredentialHeaders are those in which some service takes a credential.
var CredentialHeaders = []string{"Authorization", "X-Api-Key", "X-Demo-Api-Key", "X-Pro-Api-Key"}

// credential reads the credential of a request. problem describes what no
// correct client sends: a missing or doubled credential, a malformed one, or a
// credential on a route that takes no credential. Verify checks whether the key
// is valid.
func (a Auth) credential(h http.Header) (credential, problem string) {
	for _, name := range CredentialHeaders {
		if h.Values(name) != nil && !slices.Contains(a.Headers, name) {
			return "", "a credential in " + name + ", which is not asked for"
		}
	}
	var found []string
	for _, name := range a.Headers {
		values := h.Values(name)
		if len(values) > 1 {
			return "", "header " + name + " is sent more than once"
		}
		if len(values) == 1 {
			found = append(found, name)
		}
	}
	switch {
	case len(found) > 1:
		return "", "two credentials: " + strings.Join(found, " and ")
	case a.Demand == Required && len(found) == 0:
		return "", "no credential: " + strings.Join(a.Headers, " or ") + " is missing"
	case len(found) == 0:
		return "", ""
	}
	value := h.Get(found[0])
	if found[0] == "Authorization" {
		token, ok := strings.CutPrefix(value, "Bearer ")
		if !ok || token == "" || strings.TrimSpace(token) != token {
			return "", "Authorization is not of the form Bearer <token>"
		}
		return token, ""
	}
	if value == "" {
		return "", "header " + found[0] + " is empty"
	}
	return value, ""
}

// authenticate checks the credential. A missing, malformed or wrong credential
// is refused with 401, a credential on a route that takes none with 400. All but
// a wrong key are violations.
func (c *Call) authenticate() error {
	a := c.Service.AuthOf(c.Route, c.Host)
	credential, problem := a.credential(c.Request.Header)
	if c.Heard != nil && c.Heard.Credential != "" {
		problem = c.Heard.Credential
	}
	if problem != "" {
		c.Violate(problem)
		if a.Demand == uncertified {
			return Refuse(http.StatusBadRequest, "", problem)
		}
		return Refuse(http.StatusUnauthorized, "", problem)
	}
	c.Credential = credential
	if credential == "" {
		return nil
	}
	if c.trespasses() {
		return Refuse(http.StatusUnauthorized, "", "the key is not valid here")
	}
	if c.Service.Verify != nil {
		return c.Service.Verify(c)
	}
	if !slices.Contains(c.keys[c.Service.Name], credential) {
		return Refuse(http.StatusUnauthorized, "", "the key is not valid")
	}
	return nil
}

// APIKey returns the key or bearer token that a service takes. It is empty for
// smartaccount, whose tokens come from its own log-in.
func (s *Core) APIKey(service play.Service) string {
	return Under(s, func() string { return s.KeyOf(service) })
}

// AddKey makes one more key valid for a service.
func (s *Core) AddKey(service play.Service, key string) {
	s.keys[service] = append(s.keys[service], key)
}

// KeyOf is APIKey with the lock held: the first key that is no tenant's.
func (s *Core) KeyOf(service play.Service) string {
	for _, key := range s.keys[service] {
		if s.owners[credential{service, key}] == "" {
			return key
		}
	}
	return ""
}
