// Package play declares what package sandbox takes and returns: its [Config], the
// names of its services, faults, deliveries, violations, and what is read from its
// ledger and its feeds. Package sandbox has the same types under the same names, so
// that a program needs to import only that one:
//
//	s, err := sandbox.Start(sandbox.Config{ManualClock: true})
package play

import (
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/deployment"
)

// Config says how a sandbox behaves. The zero value is ready to use.
type Config struct {
	// Seed determines every key, address and blockhash. 0 means 1.
	Seed uint64

	// ManualClock stops the sandbox's clock: only Sandbox.Advance moves it.
	// False means that it follows real time, plus what Advance added.
	ManualClock bool
	// Start is the sandbox's time at Start. Zero means the real time, or
	// midnight UTC of 1 January 2026 with ManualClock.
	Start time.Time
	// SlotTime is the time between two slots. 0 means 400 ms.
	SlotTime time.Duration
	// FeedStep is how far Sandbox.AdvanceUntil goes on after a message of the feed
	// before it lets the clients read what came. 0 lets them read each message at its
	// own time, which is exact, and slow for a program that listens for days.
	FeedStep time.Duration
	// InstantConfirmation finalizes a transaction at once. False means that it
	// is processed at once, confirmed in the next slot and finalized 32 later.
	InstantConfirmation bool

	// Snapshot has the bytes that sandbox.Snapshot returned: the sandbox starts in their
	// state. WebhookTimeout, WebhookClient, BasePort, DeploymentSecrets and Control are
	// those of this Config. Each other field is the snapshot's, and Start fails if it is set
	// here to something else. Nil starts a new state.
	Snapshot []byte

	// Tiers are the tiers of the services' keys. An absent service is on its
	// lowest tier.
	Tiers map[Service]Tier
	// NoLimits switches the rate limits off. False applies the documented limits.
	NoLimits bool

	// Shape picks a shape of each undocumented answer, counted from 1. 0
	// alternates between the shapes, so that clients rely on none of them.
	Shape int
	// StrictEcho demands what must go back whole (the quotes of swap and amm, the
	// intents of swap) to the byte. False takes whatever is equal in value, every
	// digit included, as a language makes it that decodes and encodes again.
	StrictEcho bool
	// Drift serves some documented answers with other types than documented, as live
	// services do: numbers as strings and the reverse, a list of strings for a list
	// of records, null for an empty list. It concerns onchaindata, predictmeta's
	// filter of outcome mints, the price impact of amm, and an empty page of
	// socialsearch. False serves every documented type as documented.
	Drift bool
	// CompiledInner makes the RPC write the inner instructions of a simulation
	// as indexes and base58 data. False means parsed if the program is
	// known, as nodes do.
	CompiledInner bool

	// PredictMetaLimit is how many requests per minute predictmeta grants a
	// key. The service documents no number. 0 means 300.
	PredictMetaLimit int

	// Tenants are users who do not meet, any number of them.
	Tenants []Tenant

	// Network says how transactions reach the cluster. Nil means that a node
	// executes them at once.
	Network *Network

	// LendingWebhook is the URL that the lending service posts its events to.
	// Empty posts nothing until LendingHandle.SetWebhook.
	LendingWebhook string
	// WebhookTimeout bounds one delivery in real time. 0 means 30 seconds.
	WebhookTimeout time.Duration
	// WebhookClient posts the deliveries, for destinations with a certificate
	// of their own. Nil means a plain client.
	WebhookClient *http.Client

	// BasePort is the port of the first listener. The next ports follow in the
	// order of [Services], additional hosts after their service, then each node with
	// its WebSocket, and the control port last. 0 means any free ports.
	BasePort int

	// Deployment makes the services that it names speak as that vendor's: routes,
	// words, places of credentials, shapes and forms, as docs/deployment-file.md has
	// them. A documented word where a live one is due is a [Violation]. The path of an
	// address in its URLs becomes that of Sandbox.URL; hosts and ports stay the
	// sandbox's. Routes, Hits, Violations and Fault keep the documented routes; the body
	// and the headers of a [Fault] are sent as they are. Nil means as documented.
	Deployment *deployment.Deployment
	// DeploymentSecrets has the values of the secrets that places of Deployment name.
	// A place whose secret is absent takes any text but an empty one.
	DeploymentSecrets map[string]string

	// Control opens the control port, for programs in other languages. Nil opens
	// none.
	Control *ControlPort
}

// ControlPort is an HTTP port of its own beside the services, through which
// programs in any language use the controls of a Sandbox: JSON in and out, one
// route for each method of the sandbox and of its handles. URL of [Control] is its
// address, APIKey of [Control] the bearer token that each request needs. GET
// /openapi.json describes the routes and needs no token. GET / is a page for people: accounts,
// transactions, orders, violations, limits, faults and requests. A browser asks for a password,
// which is the token; the user's name may be anything.
//
// The port is on loopback. It refuses a Host that is not its own and requests
// from pages in a browser, and sends no CORS headers: who has the token controls
// the sandbox and its test wallet.
type ControlPort struct {
	// Token is the bearer token: printable ASCII without blanks. Empty draws a
	// random one.
	Token string
	// Closed is called when the sandbox was closed by the route /close. May be nil.
	Closed func()
}

// Network says how the cluster takes transactions. Without one, a node executes
// what it is sent at once.
type Network struct {
	// Reach is the chance that one sendTransaction reaches a leader, which
	// executes it two slots later. 0 means 1.
	Reach float64
	// Resends makes nodes send what they were given again every two seconds,
	// until it has landed or expired.
	Resends bool
	// Lag is how many slots all nodes lag.
	Lag uint64
	// Nodes are the cluster's nodes: see LedgerHandle.NodeURL. Nil means one that
	// behaves.
	Nodes []Node
	// SkipEvery leaves one in so many slots without a block. 0 and 1 mean that every
	// slot has one.
	SkipEvery uint64
	// Fees makes what nodes are sent compete for the blocks with other traffic. Nil
	// means that every block has room.
	Fees *FeeMarket
}

// Node says how one node of a Network behaves.
type Node struct {
	// Lag is how many slots the node lags: it knows no later block,
	// blockhash or transaction.
	Lag uint64
	// Silent makes the node accept requests and never answer.
	Silent bool
	// SlotForHeight makes the node answer the slot when it is asked for a height.
	SlotForHeight bool
	// PerSecond is how many requests a second the node answers. It refuses more
	// with 429. 0 means any number.
	PerSecond int
	// HistoryOff makes the node a validator that keeps no transactions: getBlock,
	// getTransaction, getSignaturesForAddress and searchTransactionHistory fail.
	HistoryOff bool
	// BundlesOff makes the node one without simulateBundle, as most are: only those of
	// the Jito kind have that method.
	BundlesOff bool
}

// NodeSocketTrouble says what goes wrong with a node's signatureNotification.
type NodeSocketTrouble struct {
	// Lost drops them.
	Lost bool
	// Late sends them so much later, by the sandbox's clock.
	Late time.Duration
	// Repeats is how many times more each is sent.
	Repeats int
	// Foreign sends each to all signature subscriptions of its connection, for
	// transactions too that were not executed.
	Foreign bool
}
