package providerswap

import (
	"strings"

	"github.com/walletfi/walletfi-go/internal/check"
)

// Provider is a DEX by its slug: its name in small letters. The service has
// ten, of these types: four AMMs, one constant product, one concentrated
// liquidity, one dynamic liquidity, two bonding curves, one stable. The set is
// open: a new one needs no new version of this package.
type Provider string

func (p Provider) problem() error {
	text := string(p)
	blank := strings.ContainsAny(text, " \t\r\n")
	return check.All(
		check.Required("provider", p),
		check.That(!blank && text == strings.ToLower(text), "provider", "must be a slug in small letters without blanks"),
	)
}
