package rpcnode

import (
	"net/url"
	"strings"

	"github.com/walletfi/walletfi-go/internal/peer"
)

// newMask hides what the node's URL and headers hold in texts that others
// wrote: a DNS error names the host, and a gateway may repeat a key.
func newMask(cfg Config) *peer.Mask {
	// Words such as "v1" and "rpc" stay readable.
	const shortest = 6
	var secrets []string
	text := cfg.URL.Reveal()
	if u, err := url.Parse(text); err == nil {
		secrets = peer.URLSecrets(u)
		parts := append(strings.Split(u.Path, "/"), text, u.RequestURI(), u.Host, u.Hostname())
		for _, part := range parts {
			if len(part) >= shortest {
				secrets = append(secrets, part)
			}
		}
	}
	for _, value := range cfg.Header {
		// "Bearer x" is masked as a whole and as x.
		v := value.Reveal()
		secrets = append(secrets, v, v[strings.LastIndexByte(v, ' ')+1:])
	}
	return peer.NewMask(secrets)
}
