package play

// Service names a service by the package name of its client.
type Service string

// The eleven services, the sandbox's Solana node, which Fault and Violations know
// under RPC, and the control port, which URL and APIKey know: see [ControlPort].
const (
	Lending      Service = "lending"
	SmartAccount Service = "smartaccount"
	Leverage     Service = "leverage"
	PredictMeta  Service = "predictmeta"
	Swap         Service = "swap"
	AMM          Service = "amm"
	ProviderSwap Service = "providerswap"
	BurnClose    Service = "burnclose"
	OnchainData  Service = "onchaindata"
	SocialSearch Service = "socialsearch"
	Webhooks     Service = "webhooks"
	RPC          Service = "rpc"
	Control      Service = "control"
)

// Services returns the eleven services, in the order of the listeners.
func Services() []Service {
	return []Service{
		Lending, SmartAccount, Leverage, PredictMeta, Swap, AMM,
		ProviderSwap, BurnClose, OnchainData, SocialSearch, Webhooks,
	}
}

// Tier is the rate that a service grants a key.
type Tier string

// The tiers that services name. A service that documents no tiers ignores
// them.
const (
	TierFree       Tier = "free"
	TierPro        Tier = "pro"
	TierEnterprise Tier = "enterprise"
)
