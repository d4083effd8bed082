package deployment

import (
	"errors"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// Check holds every word against the documentation. New of each client does it for
// its own service. The error has an [*Error] for each mistake.
func (d *Deployment) Check() error { return d.check(&file{}) }

// CheckService is Check for one service, by the name of its package. A service that d
// does not name is right.
func (d *Deployment) CheckService(name string) error {
	if d == nil {
		return nil
	}
	s, ok := d.Services[name]
	if !ok {
		return nil
	}
	return (&Deployment{Services: map[string]Service{name: s}}).Check()
}

func (d *Deployment) check(f *file) error {
	if d == nil {
		return nil
	}
	for _, name := range inOrder(d.Services) {
		c := checker{file: f, service: name, path: []string{"services", name}}
		documented, ok := catalogue.Of(name)
		if !ok {
			c.wrong(nil, "no service has this name%s", suggestion(name, serviceNames()))
			continue
		}
		c.documented = documented
		c.checkService(d.Services[name])
	}
	return errors.Join(f.found...)
}

func serviceNames() map[string]bool {
	names := map[string]bool{}
	for _, s := range catalogue.Services() {
		names[s.Name] = true
	}
	return names
}

// checker holds one service's words against its documentation.
type checker struct {
	file       *file
	service    string
	path       []string
	documented catalogue.Service
	ambiguous  map[string]bool // paths that were reported
}

// wrong notes a mistake at a path below the service.
func (c *checker) wrong(below []string, format string, args ...any) {
	path := slices.Concat(c.path, below)
	line := 0
	if c.file.name != "" {
		line = c.file.line(path)
	}
	c.file.problem(line, path, format, args...)
}

func (c *checker) checkService(s Service) {
	c.checkURLs(s.URLs)
	c.checkAuth(s)
	c.checkHeaders(s.Headers)
	c.checkSegments(s.Segments)
	c.checkWords(nil, s.Words, nil)
	c.checkSteps([]string{"failure"}, s.Failure)
	c.checkOperations(s)
	c.checkTemplates(s)
	c.checkAmbiguity(s)
	c.checkClashes(s)
}

func (c *checker) checkURLs(urls map[string]string) {
	known := set(c.documented.URLs)
	for _, field := range inOrder(urls) {
		at := []string{"urls", field}
		if !known[field] {
			c.wrong(at, "%s has no such address; it has %s", c.service, list(known))
			continue
		}
		u, err := url.Parse(urls[field])
		schemes := "https http"
		if field == "webSocketURL" {
			schemes = "wss ws"
		}
		switch {
		case err != nil || u.Host == "" || !slices.Contains(strings.Fields(schemes), u.Scheme):
			c.wrong(at, "must be an absolute address that begins with %s://", strings.Fields(schemes)[0])
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			c.wrong(at, "must not have credentials, a query or a fragment")
		}
	}
}

func (c *checker) checkAuth(s Service) {
	if s.NoAuth && len(s.Auth) > 0 {
		c.wrong([]string{"noAuth"}, "contradicts auth")
	}
	seen := map[string]bool{}
	for i, p := range s.Auth {
		at := []string{"auth", index(i)}
		name := string(p.In) + " " + p.Name
		if p.In == InHeader {
			name = string(p.In) + " " + textproto.CanonicalMIMEHeaderKey(p.Name)
		}
		switch {
		case p.In != InHeader && p.In != InQuery:
			c.wrong(append(at, "in"), "must be header or query")
		case p.Name == "" || p.In == InHeader && !isToken(p.Name):
			c.wrong(append(at, "name"), "%q is not a name of a %s", p.Name, p.In)
		case p.In == InHeader && (isReserved(p.Name) || isOfBody(p.Name)):
			c.wrong(append(at, "name"), "%s is not the deployment's to set", textproto.CanonicalMIMEHeaderKey(p.Name))
		case !isPlain(p.Prefix):
			c.wrong(append(at, "prefix"), "holds a line break or another control character")
		case seen[name]:
			c.wrong(at, "the same place is there twice")
		case p.Secret == "" && c.service == "amm":
			c.wrong(append(at, "secret"), "is required: amm has no credential of its own")
		}
		seen[name] = true
	}
}

func (c *checker) checkHeaders(names map[string]string) {
	known := set(c.documented.Headers)
	taken, renamed := map[string]string{}, map[string]bool{}
	for _, name := range inOrder(names) {
		at := []string{"headers", name}
		live := textproto.CanonicalMIMEHeaderKey(names[name])
		canonical := textproto.CanonicalMIMEHeaderKey(name)
		switch {
		case renamed[canonical]:
			c.wrong(at, "%s is there twice", canonical)
		case !known[canonical]:
			c.wrong(at, "%s documents no such header%s", c.service, suggestion(name, known))
		case !isToken(live):
			c.wrong(at, "%q is not a name of a header", names[name])
		case isReserved(live) || isOfBody(live):
			c.wrong(at, "%s is not the deployment's to set", live)
		case live != canonical && known[live] && !isRenamed(names, live):
			c.wrong(at, "becomes %s, which is documented for something else", live)
		case taken[live] != "":
			c.wrong(at, "%s and %s both become %s", taken[live], name, live)
		}
		taken[live], renamed[canonical] = name, true
	}
}

// isRenamed reports whether a header, by its canonical name, has another name.
func isRenamed(names map[string]string, header string) bool {
	for name := range names {
		if textproto.CanonicalMIMEHeaderKey(name) == header {
			return true
		}
	}
	return false
}

func (c *checker) checkSegments(words map[string]string) {
	known := set(segmentsOf(c.documented))
	c.checkMap([]string{"segments"}, words, known, "segment of a path")
	for _, word := range inOrder(words) {
		live := words[word]
		if live == "." || live == ".." || url.PathEscape(live) != live {
			c.wrong([]string{"segments", word}, "%q cannot be a segment of a path", live)
		}
	}
}

// checkMap holds words to known ones and to each other.
func (c *checker) checkMap(at []string, words map[string]string, known map[string]bool, what string) {
	taken := map[string]string{}
	for _, word := range inOrder(words) {
		live := words[word]
		at := append(at[:len(at):len(at)], word)
		switch {
		case known != nil && !known[word]:
			c.wrong(at, "%s has no %s of this name%s", c.service, what, suggestion(word, known))
		case word == "" || live == "" || !isPlain(word+live) || strings.TrimSpace(live) != live:
			c.wrong(at, "%q cannot be a %s", live, what)
		case taken[live] != "":
			c.wrong(at, "%s and %s both become %s", taken[live], word, live)
		}
		taken[live] = word
	}
}
