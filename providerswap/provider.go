package providerswap

import (
	"strings"

	"github.com/walletfi/walletfi-go/internal/check"
)

// Provider is the slug of a DEX: its name in lower case. The service has ten:
// four AMMs, one constant product, one concentrated liquidity, one dynamic
// liquidity, two bonding curves, one stable. The set is open.
type Provider string

func (p Provider) problem() error {
	text := string(p)
	blank := strings.ContainsAny(text, " \t\r\n")
	return check.All(
		check.Required("provider", p),
		check.That(!blank && text == strings.ToLower(text), "provider", "must be a slug in lower case without spaces"),
	)
}
