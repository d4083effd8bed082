package dialect

import (
	"maps"
	"strings"
	"sync"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// Service holds what a deployment says of one service, ready for use. It is safe
// for concurrent use.
type Service struct {
	field      string // of the service, in errors
	urls       map[string]string
	headers    headers
	segments   map[string]string
	auth       []place
	noAuth     bool
	failure    []step
	operations map[string]*Operation // that have words of their own
	plain      *Operation            // all others
	templates  map[string]*Operation // the words of arguments, by the id of their template

	mu     sync.RWMutex
	others map[string]*Operation // plain, by route
	memory memory
}

// Compile makes what d says of a service ready for use, with the secrets that its
// places name. It returns nil if that is nothing. The caller has held the words against
// the documentation, by [deployment.Deployment.CheckService]. The error, a
// walletfi.ValidationError, is about a secret, a service that there is not, or words that
// cannot be turned round.
func Compile(d *deployment.Deployment, service string, secrets map[string]walletfi.Secret) (*Service, error) {
	given, err := given(d, service)
	if given == nil {
		return nil, err
	}
	return compile(given, "deployment.services."+service, secrets)
}

// Words is [Compile] for what sends no request: its places need no secrets.
func Words(d *deployment.Deployment, service string) (*Service, error) {
	given, err := given(d, service)
	if given == nil {
		return nil, err
	}
	words := *given
	words.Auth, words.NoAuth = nil, false
	return compile(&words, "deployment.services."+service, nil)
}

// given returns what d says of a service, nil if that is nothing.
func given(d *deployment.Deployment, service string) (*deployment.Service, error) {
	if d == nil {
		return nil, nil
	}
	for _, name := range inOrder(d.Services) {
		if _, ok := catalogue.Of(name); name != service && !ok {
			return nil, problem("deployment.services", "%q is not a service", name)
		}
	}
	s, ok := d.Services[service]
	if !ok {
		return nil, nil
	}
	return &s, nil
}

func compile(given *deployment.Service, field string, secrets map[string]walletfi.Secret) (s *Service, err error) {
	s = &Service{
		field:      field,
		noAuth:     given.NoAuth,
		urls:       maps.Clone(given.URLs),
		headers:    compileHeaders(given.Headers),
		segments:   maps.Clone(given.Segments),
		failure:    compileSteps(given.Failure),
		others:     map[string]*Operation{},
		operations: map[string]*Operation{},
		templates:  map[string]*Operation{},
	}
	if s.auth, err = compilePlaces(field+".auth", given.Auth, secrets); err != nil {
		return nil, err
	}
	if s.plain, err = s.compileOperation("", given.Words, field, deployment.Operation{}); err != nil {
		return nil, err
	}
	for _, route := range inOrder(given.Operations) {
		if s.operations[route], err = s.compileOperation(route, given.Words, field, given.Operations[route]); err != nil {
			return nil, err
		}
	}
	for _, id := range inOrder(given.Templates) {
		words := deployment.Operation{Words: given.Templates[id]}
		if s.templates[id], err = s.compileOperation("", given.Words, field+".templates."+id, words); err != nil {
			return nil, err
		}
	}
	s.addMessages()
	return s, nil
}

// URL returns the address of a field of the client's configuration, empty if the
// deployment has none.
func (s *Service) URL(field string) string {
	if s == nil {
		return ""
	}
	return s.urls[field]
}

// Path writes a documented path in live segments.
func (s *Service) Path(path string) string {
	if s == nil {
		return path
	}
	words := strings.Split(path, "/")
	for i, word := range words {
		words[i] = s.segment(word)
	}
	return strings.Join(words, "/")
}

func (s *Service) segment(word string) string { return translated(s.segments, word) }

// Operation returns what is so for the operation with a documented route.
func (s *Service) Operation(method, template string) *Operation {
	if s == nil {
		return nil
	}
	route := method + " /" + strings.TrimPrefix(template, "/")
	if o := s.operations[route]; o != nil {
		return o
	}
	s.mu.RLock()
	o := s.others[route]
	s.mu.RUnlock()
	if o != nil {
		return o
	}
	o = new(*s.plain)
	o.documented, o.Method = route, method
	s.mu.Lock()
	defer s.mu.Unlock()
	s.others[route] = o
	return o
}

// Plain holds the rules of every operation without words of its own: messages that
// belong to none are in these words. It is nil for a nil Service.
func (s *Service) Plain() *Operation {
	if s == nil {
		return nil
	}
	return s.plain
}
