package transport

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/peer"
)

// checkPrefix refuses a base URL that lacks the documented prefix of the service,
// has it twice, or ends with what the calls' own paths begin with. The error has
// the address that is right.
func (cfg *Config) checkPrefix(base *url.URL) error {
	if cfg.Options.OwnRoutes {
		return nil
	}
	right := *base
	path := base.Path
	prefix := cfg.live(cfg.Prefix)
	for _, own := range append([]string{cfg.Prefix}, cfg.OwnPaths...) {
		for own = cfg.live(own); own != "" && strings.HasSuffix(path, own); {
			path = strings.TrimSuffix(path, own)
		}
	}
	right.Path, right.RawPath = path+prefix, ""
	if right.Path == base.Path {
		return nil
	}
	return &walletfi.ValidationError{Field: "baseURL", Problem: "must be " + right.String() + "; OwnRoutes is for a gateway with other paths"}
}

// live writes a path in the words of the deployment.
func (cfg *Config) live(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = cmp.Or(cfg.Options.Vocabulary.Segments[s], s)
	}
	return strings.Join(segments, "/")
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
