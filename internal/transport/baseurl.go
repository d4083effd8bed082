package transport

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// base returns the client's base URL: its own, or else the deployment's, whose path
// may be any.
func (cfg *Config) base(spoken *dialect.Service) (*url.URL, error) {
	field := cmp.Or(cfg.URLField, "baseURL")
	if live := spoken.URL(field); cfg.BaseURL == "" && live != "" {
		return parseBase("deployment.services."+cfg.Service+".urls."+field, live, cfg.Options.AllowHTTP)
	}
	base, err := parseBase(field, cfg.BaseURL, cfg.Options.AllowHTTP)
	if err != nil {
		return nil, err
	}
	return base, cfg.checkPrefix(field, base, spoken.Path)
}

// checkPrefix refuses a base URL that lacks the documented prefix of the service,
// has it twice, or ends with what the calls' own paths begin with. The error has
// the address that is right. live writes a path in the deployment's words.
func (cfg *Config) checkPrefix(field string, base *url.URL, live func(string) string) error {
	if cfg.Options.OwnRoutes {
		return nil
	}
	right := *base
	path := base.Path
	prefix := live(cfg.Prefix)
	for _, own := range append([]string{cfg.Prefix}, cfg.OwnPaths...) {
		for own = live(own); own != "" && strings.HasSuffix(path, own); {
			path = strings.TrimSuffix(path, own)
		}
	}
	right.Path, right.RawPath = path+prefix, ""
	if right.Path == base.Path {
		return nil
	}
	return &walletfi.ValidationError{
		Field: field, Problem: "must be " + right.String() + "; OwnRoutes is for a gateway with other paths",
	}
}

// parseBase checks a base URL and keeps its path prefix. Nothing of the URL is
// repeated in the error, since some are pasted with a key in them.
func parseBase(field, text string, allowHTTP []string) (*url.URL, error) {
	if text == "" {
		return nil, &walletfi.ValidationError{Field: field, Problem: "is required"}
	}
	u, problem := peer.Address(text, allowHTTP)
	if problem == "" && (u.User != nil || u.RawQuery != "" || u.ForceQuery) {
		problem = "must not have credentials or a query"
	}
	if problem != "" {
		return nil, &walletfi.ValidationError{Field: field, Problem: problem}
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u, nil
}
