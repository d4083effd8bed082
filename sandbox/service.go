package sandbox

import "github.com/walletfi/walletfi-go/sandbox/play"

// Service names a service by the package name of its client.
type Service = play.Service

// The eleven services, the sandbox's Solana node, which Fault and Violations know
// under RPC, and the control port, which URL and APIKey know: see [ControlPort].
const (
	Lending      = play.Lending
	SmartAccount = play.SmartAccount
	Leverage     = play.Leverage
	PredictMeta  = play.PredictMeta
	Swap         = play.Swap
	AMM          = play.AMM
	ProviderSwap = play.ProviderSwap
	BurnClose    = play.BurnClose
	OnchainData  = play.OnchainData
	SocialSearch = play.SocialSearch
	Webhooks     = play.Webhooks
	RPC          = play.RPC
	Control      = play.Control
)

// Services returns the eleven services, in the order of the listeners.
func Services() []Service { return play.Services() }

// Tier is the rate that a service grants a key.
type Tier = play.Tier

// The tiers that services name. A service that documents no tiers ignores
// them.
const (
	TierFree       = play.TierFree
	TierPro        = play.TierPro
	TierEnterprise = play.TierEnterprise
)
