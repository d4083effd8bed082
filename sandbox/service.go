package sandbox

import (
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

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

// What a sandbox takes, and what it returns about itself. Package play documents the
// fields; a program needs to import this package only.
type (
	// Config says how a sandbox behaves. The zero value is ready to use.
	Config = play.Config
	// ControlPort is an HTTP port of its own, through which programs in any language
	// use the controls of a [Sandbox].
	ControlPort = play.ControlPort
	// Network says how the cluster takes transactions. Without one, a node executes
	// what it is sent at once.
	Network = play.Network
	// FeeMarket says what other traffic pays for its room in the blocks of a [Network].
	FeeMarket = play.FeeMarket
	// FeeCurve is how the price of a [FeeMarket] moves.
	FeeCurve = play.FeeCurve
	// Node says how one node of a [Network] behaves.
	Node = play.Node
	// Fault describes what goes wrong with a request: see [Sandbox.Fault].
	Fault = play.Fault
	// Lie is how an answer that is well-formed is wrong: see [Fault].
	Lie = play.Lie
	// Route is one route of a service. As an argument of [Sandbox.Fault] an empty
	// field means any.
	Route = play.Route
	// Violation is a request that no correct client sends: see [Sandbox.Violations].
	Violation = play.Violation
	// ViolationGroup counts the violations of a kind: see [ViolationGroups].
	ViolationGroup = play.ViolationGroup
	// Delivery is one attempt to deliver a webhook: see [Sandbox.Deliveries].
	Delivery = play.Delivery
)

// The curves of a [FeeMarket], which package play explains.
const (
	FeesCalm   = play.FeesCalm
	FeesRising = play.FeesRising
	FeesSpike  = play.FeesSpike
	FeesWaves  = play.FeesWaves
)

// The lies of a [Fault], which package play explains.
const (
	LieMissing  = play.LieMissing
	LieNull     = play.LieNull
	LieKind     = play.LieKind
	LieGarbage  = play.LieGarbage
	LieRange    = play.LieRange
	LieLong     = play.LieLong
	LieZero     = play.LieZero
	LieRepeated = play.LieRepeated
	LieOther    = play.LieOther
	LieFailure  = play.LieFailure
)

// Lies lists them.
func Lies() []Lie { return play.Lies() }

// Lied returns a JSON text made wrong as [Fault] makes an answer, for what no request asks for: a
// delivery ([WebhooksHandle.Deliver]) or a message of the feed ([FeedHandle.Push]). member is the
// path, such as "transactions.*.meta", and empty for LieFailure. A text without it is returned
// as it is. The error names lie if [Lies] does not list it, or member if it does not go with it.
func Lied(text []byte, lie Lie, member string) ([]byte, error) {
	if err := lieProblem("", lie, member); err != nil {
		return nil, err
	}
	return kit.Lied(text, Fault{Lie: lie, Member: member}), nil
}
