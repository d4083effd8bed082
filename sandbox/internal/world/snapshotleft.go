package world

// Reasons for which a field is in no snapshot.
const (
	running  = "of the running program: listeners, locks, goroutines and what waits for them"
	conns    = "of open connections, which are in no snapshot"
	followed = "follows from the configuration, which is the same"
	setUp    = "functions and routes, which are the same in every sandbox"
	callers  = "what the program that uses the sandbox wants of it, not the state of the sandbox"
)

// left says why a field is in no snapshot. Every other one is.
var left = map[string]string{
	"kit.Core.mu": running, "kit.Core.era": running, "kit.Core.endEra": running, "kit.Core.hosts": running,
	"kit.Core.servers": running, "kit.Core.landed": running, "kit.Core.webhookClient": running,
	"kit.Core.patience": running, "kit.Core.closed": running, "kit.Core.done": running, "kit.Core.context": running,
	"kit.Core.cancel": running, "kit.Core.running": running, "kit.clock.timer": running, "kit.clock.manual": followed,
	"kit.Core.flying":    "0 when a snapshot is taken: it waits for the deliveries that are in flight",
	"kit.Core.advancing": "false when a snapshot is taken",
	"kit.clock.ahead":    "follows from the sandbox's time and the real time",
	"kit.Core.stirred":   callers, "kit.Core.told": callers, "kit.Core.heard": callers, "kit.Core.asked": callers,
	"kit.Core.parked": callers, "kit.Core.working": callers, "kit.Core.crew": callers, "kit.Core.joined": callers,
	"kit.Core.exchanges": "what was asked, not what became of it", "kit.Core.exchanged": "counts them",
	"kit.Core.faulted": "the highest number of a fault, which is never used again",
	"kit.Core.Config":  followed, "kit.Core.services": setUp, "kit.Core.sockets": setUp,

	"build.Chain.attack": callers, "build.Chain.fees": followed, "build.Chain.seed": followed,
	"build.Chain.keys":       "follows from the seed: keys that were derived before",
	"ledger.Ledger.clock":    "leads to the core",
	"ledger.Ledger.programs": setUp, "ledger.Ledger.watchers": setUp,
	"market.Book.repriced": setUp, "market.Book.told": setUp,
	"market.Request.Admit": "asked while a quote's routes are chosen, not afterwards",

	"predictmeta.Service.feed": setUp, "predictmeta.Service.wanted": conns, "predictmeta.Service.Ticking": conns,
	"node.Socket.Feed": setUp, "node.Socket.node": followed, "node.Socket.subs": conns, "node.Socket.last": conns,
	"node.Socket.ticking": conns, "node.Handler.node": followed, "node.Handler.era": running,

	"play.Config.WebhookTimeout": callers, "play.Config.WebhookClient": callers, "play.Config.BasePort": callers,
	"play.Config.Control": callers, "play.Config.Snapshot": callers, "play.Config.DeploymentSecrets": callers,
	"play.Config.Deployment":     "compared by its hash",
	"play.Config.LendingWebhook": "the lending service has it, or what came after",

	"dialect.dialect.core": "leads to the core", "dialect.dialect.spec": setUp, "dialect.dialect.file": followed,
	"dialect.dialect.words": followed, "dialect.dialect.headers": followed, "dialect.dialect.segments": followed,
	"dialect.dialect.operations": followed, "dialect.dialect.feed": followed, "dialect.dialect.whole": followed,
}
