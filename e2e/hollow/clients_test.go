package hollow

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/sandbox"
)

const somewhere = "https://service.example"

// clients make the client of each service.
var clients = flows.Makers(flows.Hosts{
	URL: func(of sandbox.Service) string {
		switch of {
		case sandbox.SmartAccount:
			return somewhere + "/api/v1"
		case sandbox.OnchainData:
			return somewhere + "/api/v3/onchain"
		}
		return somewhere
	},
	Key: func(sandbox.Service) walletfi.Secret { return wiretest.Key() }, Data: somewhere,
	Token: walletfi.Token{Access: walletfi.NewSecret("at-123456"), Refresh: walletfi.NewSecret("rt-123456")},
})
