package kit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// credential is a key of a service.
type credential struct {
	service play.Service
	key     string
}

// tenantPath comes before the path of an address of a tenant, and before the tenant's name.
const tenantPath = "/~"

var tenantName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// drawnKey is the form of the keys that the sandbox draws, with the name of the tenant if it is for one.
var drawnKey = regexp.MustCompile(`^sandbox-[a-z]+-(?:(.+)-)?[0-9a-f]{16}$`)

// Admit adds a tenant, whose keys are good at once.
func (s *Core) Admit(t play.Tenant) (play.Tenant, error) {
	if !tenantName.MatchString(t.Name) {
		return t, fmt.Errorf("sandbox: tenant %q: a name has 1 to 32 of a to z, 0 to 9 and the hyphen", t.Name)
	}
	if s.IsTenant(t.Name) {
		return t, fmt.Errorf("sandbox: there is a tenant %s already", t.Name)
	}
	keys := map[play.Service]string{}
	for _, service := range play.Services() {
		sum := sha256.Sum256([]byte(strconv.FormatUint(s.Config.Seed, 10) + " " + string(service) + " " + t.Name))
		keys[service] = "sandbox-" + string(service) + "-" + t.Name + "-" + hex.EncodeToString(sum[:8])
	}
	delete(keys, play.SmartAccount)
	for service, key := range t.Keys {
		if _, takes := keys[service]; !takes {
			return t, fmt.Errorf("sandbox: tenant %s: %q takes no key", t.Name, service)
		}
		keys[service] = key
	}
	owner := map[string]play.Service{}
	for service, key := range keys {
		if problem := s.refuses(service, key, t.Name); problem != "" {
			return t, fmt.Errorf("sandbox: tenant %s: the key of %s %s", t.Name, service, problem)
		}
		if other, twice := owner[key]; twice {
			return t, fmt.Errorf("sandbox: tenant %s: the key of %s is that of %s, too", t.Name, service, other)
		}
		owner[key] = service
	}
	t.Keys = keys
	s.Tenants = append(s.Tenants, t)
	s.settle(t)
	return t, nil
}

// refuses says why a tenant cannot have a key, if it cannot. What the sandbox draws for another, at
// any time, is another's.
func (s *Core) refuses(service play.Service, key, tenant string) string {
	drawn := drawnKey.FindStringSubmatch(key)
	switch {
	case key == "" || unprintable(key):
		return "must be printable ASCII without blanks"
	case slices.Contains(s.keys[service], key):
		return "is another's"
	case drawn != nil && drawn[1] != tenant:
		return "is another's: the sandbox draws keys of this form"
	}
	return ""
}

// settle makes the keys of a tenant good.
func (s *Core) settle(t play.Tenant) {
	for service, key := range t.Keys {
		s.AddKey(service, key)
		s.owners[credential{service, key}] = t.Name
	}
}

// IsTenant reports whether a tenant has the name.
func (s *Core) IsTenant(name string) bool {
	return slices.ContainsFunc(s.Tenants, func(t play.Tenant) bool { return t.Name == name })
}

// TenantURL is the address of a tenant in place of one that is everybody's.
func TenantURL(base, tenant string) string {
	scheme, rest, _ := strings.Cut(base, "://")
	host, path, more := strings.Cut(rest, "/")
	if more {
		path = "/" + path
	}
	return scheme + "://" + host + tenantPath + tenant + path
}

type tenantKey struct{}

// TenantOf is the tenant by whose address a request came, empty if it came by everybody's.
func TenantOf(r *http.Request) string {
	name, _ := r.Context().Value(tenantKey{}).(string)
	return name
}

// ofTenant is the request that came by the address of a tenant, as it is at everybody's address.
func ofTenant(r *http.Request) (in *http.Request, tenant string) {
	rest, ok := strings.CutPrefix(r.URL.Path, tenantPath)
	if !ok {
		return r, ""
	}
	tenant, _, _ = strings.Cut(rest, "/")
	in = r.WithContext(context.WithValue(r.Context(), tenantKey{}, tenant))
	at, before := *r.URL, tenantPath+tenant
	at.Path = "/" + strings.TrimPrefix(strings.TrimPrefix(at.Path, before), "/")
	if at.RawPath != "" {
		at.RawPath = "/" + strings.TrimPrefix(strings.TrimPrefix(at.RawPath, before), "/")
	}
	in.URL, in.RequestURI = &at, at.RequestURI()
	return in, tenant
}

// recognize finds out whose request it is: that of the address, or else that of the credential.
func (c *Call) recognize() {
	c.Tenant = TenantOf(c.Request)
	for _, header := range CredentialHeaders {
		value := strings.TrimPrefix(c.Request.Header.Get(header), "Bearer ")
		if owner := c.owners[credential{c.Service.Name, value}]; owner != "" && c.Tenant == "" {
			c.Tenant = owner
		}
	}
}

// trespasses reports whether the request carries the key of another than whose address it came by.
func (c *Call) trespasses() bool {
	key := c.Credential
	return slices.Contains(c.keys[c.Service.Name], key) && c.owners[credential{c.Service.Name, key}] != c.Tenant
}

// OwnKey makes one more key valid for a service, which is the caller's.
func (c *Call) OwnKey(key string) {
	c.AddKey(c.Service.Name, key)
	if c.Tenant != "" {
		c.owners[credential{c.Service.Name, key}] = c.Tenant
	}
}
