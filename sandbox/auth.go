package sandbox

import (
	"net/http"
	"slices"
	"strings"
)

// auth says which credential a route takes.
type auth struct {
	demand  demand
	headers []string // any one of them; "Authorization" means a bearer token
}

type demand int

const (
	inherited   demand = iota // what the service says
	required                  // exactly one of the headers
	optional                  // one or none
	uncertified               // none: a credential would be sent where nobody asked for it
)

// The usual kinds. A key in a header of its own, a bearer token, nothing.
var (
	apiKey         = auth{required, []string{"X-Api-Key"}}
	optionalAPIKey = auth{optional, []string{"X-Api-Key"}}
	bearer         = auth{required, []string{"Authorization"}}
	open           = auth{demand: uncertified}
)

// credentialHeaders are those in which some service takes a credential.
var credentialHeaders = []string{"Authorization", "X-Api-Key", "X-Demo-Api-Key", "X-Pro-Api-Key"}

// credential reads the credential of a request. A problem is something that no
// correct client sends: none where one is required, two, one in a wrong form,
// one where none is asked for. A wrong key is no problem of form; that is for
// verify.
func (a auth) credential(h http.Header) (credential, problem string) {
	for _, name := range credentialHeaders {
		if h.Values(name) != nil && !slices.Contains(a.headers, name) {
			return "", "a credential in " + name + ", which is not asked for"
		}
	}
	var found []string
	for _, name := range a.headers {
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
	case a.demand == required && len(found) == 0:
		return "", "no credential: " + strings.Join(a.headers, " or ") + " is missing"
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

// authenticate settles who calls. A wrong credential is the service's 401, a
// missing or malformed one a violation too.
func (c *call) authenticate() error {
	a := c.route.auth
	if a.demand == inherited {
		a = c.service.auth
		if other, ok := c.service.hostAuth[c.host]; ok {
			a = other
		}
	}
	credential, problem := a.credential(c.request.Header)
	if problem != "" {
		c.violate(problem)
		if a.demand == uncertified {
			return refuse(http.StatusBadRequest, "", problem)
		}
		return refuse(http.StatusUnauthorized, "", problem)
	}
	c.credential = credential
	if credential == "" {
		return nil
	}
	if c.service.verify != nil {
		return c.service.verify(c)
	}
	if !slices.Contains(c.keys[c.service.name], credential) {
		return refuse(http.StatusUnauthorized, "", "the key is not valid")
	}
	return nil
}

// APIKey returns the key or bearer token that a service takes. It is empty for
// smartaccount, whose tokens come from its own log-in.
func (s *Sandbox) APIKey(service Service) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.keys[service]) == 0 {
		return ""
	}
	return s.keys[service][0]
}

// addKey makes one more key valid for a service.
func (s *Sandbox) addKey(service Service, key string) {
	s.keys[service] = append(s.keys[service], key)
}
