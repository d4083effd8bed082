package otelwalletfi

// entry describes a metric or a span, for the instruments, README.md and the tests.
type entry struct {
	name       string
	unit       string // of a metric
	kind       string // of a metric: counter, gauge, histogram; of a span: OpenTelemetry's
	what       string
	attributes []string
	users      []string // attributes of a span with Config.Users
}

var (
	called  = []string{"walletfi.service", "walletfi.operation"}
	limited = []string{"walletfi.service", "walletfi.class"}
)

func and(base []string, more ...string) []string { return append(append([]string{}, base...), more...) }

// metrics is every metric.
var metrics = []entry{
	{name: "http.client.request.duration", unit: "s", kind: "histogram",
		what: "Duration of one HTTP request, to the last byte of its answer.",
		attributes: and(called, "http.request.method", "url.template", "server.address", "server.port",
			"http.response.status_code", "error.type")},
	{name: "walletfi.call.duration", unit: "s", kind: "histogram",
		what:       "Duration of a call with all its attempts and waits.",
		attributes: and(called, "error.type")},
	{name: "walletfi.retries", unit: "{retry}", kind: "counter",
		what:       "Attempts that were repeated, by the status of the one that failed (0: no answer).",
		attributes: and(called, "http.response.status_code")},
	{name: "walletfi.limiter.wait.duration", unit: "s", kind: "histogram", what: "Wait for a slot under the rate limit.",
		attributes: and(limited, "error.type")},
	{name: "walletfi.limiter.utilization", unit: "1", kind: "gauge",
		what:       "Used part of a budget, after the last request.",
		attributes: and(limited, "walletfi.window")},
	{name: "walletfi.limiter.remaining", unit: "{request}", kind: "gauge",
		what:       "Requests that a budget has left, after the last request.",
		attributes: and(limited, "walletfi.window")},
	{name: "walletfi.service.remaining", unit: "{request}", kind: "gauge",
		what:       "Requests that are left by the service's own count.",
		attributes: limited},
	{name: "walletfi.drift", unit: "{difference}", kind: "counter", what: "What came of a service and is not " +
		"documented, each counted once: a member, or a value of an enumeration.",
		attributes: called},
	{name: "walletfi.token.refreshes", unit: "{refresh}", kind: "counter", what: "Renewals of a bearer token.",
		attributes: []string{"walletfi.service", "error.type"}},
	{name: "walletfi.guard.refusals", unit: "{refusal}", kind: "counter",
		what:       "Sets of transactions that the guard refused to sign, by its rule.",
		attributes: []string{"walletfi.service", "walletfi.rule"}},
	{name: "walletfi.wallet.executions", unit: "{execution}", kind: "counter",
		what:       "Executions by their outcome; earlier: the result of the same key was there.",
		attributes: []string{"walletfi.service", "walletfi.state", "walletfi.earlier"}},
	{name: "walletfi.wallet.submissions", unit: "{send}", kind: "counter",
		what:       "Sends of signed bytes; again: the same bytes were sent before.",
		attributes: []string{"walletfi.service", "walletfi.door", "walletfi.again", "error.type"}},
	{name: "walletfi.wallet.confirm.duration", unit: "s", kind: "histogram",
		what:       "Time from the signature to the verdict.",
		attributes: []string{"walletfi.service", "walletfi.state"}},
	{name: "walletfi.wallet.landing.attempts", unit: "{attempt}", kind: "counter",
		what:       "Attempts of orders with a fee policy, by how each ended.",
		attributes: []string{"walletfi.service", "walletfi.state"}},
	{name: "walletfi.wallet.landing.duration", unit: "s", kind: "histogram",
		what:       "Time from the call of Place to the end of an attempt.",
		attributes: []string{"walletfi.service", "walletfi.state"}},
	{name: "walletfi.wallet.landing.cost", unit: "{lamport}", kind: "counter",
		what:       "What landing has cost, base and priority fees.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.wallet.landing.price", unit: "{microlamport}", kind: "gauge",
		what:       "Price per compute unit that the last attempt offered.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.wallet.landing.market", unit: "{microlamport}", kind: "gauge",
		what:       "Price per compute unit that the market asked for then.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.wallet.door.vain", unit: "{transaction}", kind: "gauge",
		what: "Transactions in a row that a submitter did not land by itself while others landed some; " +
			"told when it is known that it lands nothing, and 0 once it lands.",
		attributes: []string{"walletfi.door"}},
	{name: "walletfi.wallet.unsettled", unit: "{key}", kind: "gauge",
		what:       "Keys whose outcome is unknown, of all wallets of the process.",
		attributes: nil},
	{name: "walletfi.feed.connections", unit: "{connection}", kind: "counter",
		what:       "Times that a WebSocket could be used.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.feed.disconnections", unit: "{disconnection}", kind: "counter",
		what:       "Connections that were lost, and attempts to connect that failed.",
		attributes: []string{"walletfi.service", "error.type"}},
	{name: "walletfi.feed.gap.duration", unit: "s", kind: "histogram",
		what:       "Stretches of time whose messages may be missing.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.feed.dropped", unit: "{event}", kind: "counter", what: "Events that a slow consumer lost.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.feed.lag", unit: "s", kind: "gauge", what: "Time that the last received event was in the queue.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.feed.queue", unit: "{event}", kind: "gauge", what: "Events that wait for the consumer.",
		attributes: []string{"walletfi.service"}},
	{name: "walletfi.webhook.deliveries", unit: "{delivery}", kind: "counter",
		what:       "Deliveries by outcome: verified, refused, duplicate, handled, failed, retried, dead, lost.",
		attributes: []string{"walletfi.outcome"}},
	{name: "walletfi.webhook.handle.duration", unit: "s", kind: "histogram", what: "Duration of the handler.",
		attributes: []string{"walletfi.outcome"}},
	{name: "walletfi.spend", unit: "{unit}", kind: "counter",
		what:       "Cost of the calls of a service that bills each record, in units of its currency.",
		attributes: called},
	{name: "walletfi.spend.remaining", unit: "{unit}", kind: "gauge", what: "What the spend budget has left.",
		attributes: []string{"walletfi.service"}},
}

// spans is every span. The name of a call is that of its service and operation, that of
// an attempt its HTTP method and route.
var spans = []entry{
	{name: "{service}.{operation}", kind: "internal", what: "A call of a client, such as lending.BuildDeposit.",
		attributes: and(called, "walletfi.attempts", "error.type")},
	{name: "{method} {route}", kind: "client", what: "An attempt of a call: one HTTP request.",
		attributes: and(called, "http.request.method", "url.template", "server.address", "server.port",
			"http.response.status_code", "http.request.resend_count", "error.type", "walletfi.queued"),
		users: []string{"url.path"}},
	{name: "walletfi.limiter.wait", kind: "internal",
		what:       "A wait for a slot that took a millisecond or more, or failed.",
		attributes: and(limited, "error.type")},
	{name: "walletfi.backoff", kind: "internal", what: "The wait before a repeat.",
		attributes: and(called, "http.response.status_code", "error.type")},
	{name: "walletfi.token.refresh", kind: "internal", what: "The renewal of a bearer token.",
		attributes: []string{"walletfi.service", "error.type"}},
	{name: "wallet.Execute", kind: "internal", what: "An execution, from the claim of its key to its result.",
		attributes: []string{
			"walletfi.service", "walletfi.transactions", "walletfi.bundle", "walletfi.state", "walletfi.earlier", "error.type",
		}, users: []string{"walletfi.owner"}},
	{name: "wallet.guard", kind: "internal", what: "The check of a set, with the signatures.",
		attributes: []string{"walletfi.service", "walletfi.transactions", "walletfi.rule", "error.type"},
		users:      []string{"walletfi.owner"}},
	{name: "wallet.sign", kind: "internal", what: "One signature.",
		attributes: []string{"walletfi.service", "error.type"}, users: []string{"walletfi.owner"}},
	{name: "wallet.submit", kind: "internal", what: "One send of signed bytes.",
		attributes: []string{"walletfi.service", "walletfi.door", "walletfi.round", "walletfi.bundle", "error.type"},
		users:      []string{"walletfi.owner", "walletfi.signature"}},
	{name: "wallet.confirm", kind: "internal", what: "From the first send of a transaction to its verdict.",
		attributes: []string{"walletfi.service", "walletfi.state", "error.type"},
		users:      []string{"walletfi.owner", "walletfi.signature"}},
	{name: "webhooks.handle", kind: "consumer", what: "One call of a receiver's handler.",
		attributes: []string{"error.type"}, users: []string{"walletfi.delivery"}},
}
