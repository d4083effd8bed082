package sandbox

import "net/http"

// burnClose is the side that burns assets and closes token accounts. It keeps
// no books of its own: what can be burned or closed is what the ledger holds.
type burnClose struct{ *Sandbox }

// burnCloseAuth is a key in either header.
var burnCloseAuth = auth{required, []string{"X-Api-Key", "Authorization"}}

// burnCloseKeyAuth is the one of issuing a key, about which nothing is said.
var burnCloseKeyAuth = auth{optional, burnCloseAuth.headers}

func newBurnClose(s *Sandbox) *service {
	b := &burnClose{s}
	return &service{name: BurnClose, auth: burnCloseAuth, envelope: plainEnvelope, routes: b.routes()}
}

func (b *burnClose) routes() []route {
	return []route{
		{method: "GET", path: "/", auth: open, endpoint: handle(b.health)},
		{method: "POST", path: "/api-keys/generate", auth: burnCloseKeyAuth, endpoint: handle(b.generateKey)},
		{method: "GET", path: "/openapi.json", auth: open, endpoint: handle(b.openAPI)},
		{method: "GET", path: "/.well-known/api-catalog", auth: open, endpoint: handle(b.catalog)},
		{method: "GET", path: "/llms.txt", auth: open, endpoint: handle(b.index)},
		{method: "GET", path: "/llms.md", auth: open, endpoint: handle(b.index)},
		{method: "GET", path: "/llms-full.txt", auth: open, endpoint: handle(b.manual)},
		{method: "GET", path: "/DOCS.md", auth: open, endpoint: handle(b.manual)},
		{method: "POST", path: "/burn", endpoint: handle(b.burn)},
		{method: "POST", path: "/burn/preview", endpoint: handle(b.previewBurn)},
		{method: "POST", path: "/burn-instructions", endpoint: handle(b.burnInstructions)},
		{method: "POST", path: "/close", endpoint: handle(b.close)},
		{method: "POST", path: "/close/preview", endpoint: handle(b.previewClose)},
		{method: "POST", path: "/close-instructions", endpoint: handle(b.closeInstructions)},
		{method: "POST", path: "/batch/close-all", endpoint: handle(b.closeAll)},
		{method: "POST", path: "/batch/close-all/preview", endpoint: handle(b.previewCloseAll)},
		{method: "POST", path: "/batch/close-all/summary", endpoint: handle(b.summarizeCloseAll)},
		{method: "POST", path: "/batch/close-all-instructions", endpoint: handle(b.closeAllInstructions)},
		{method: "POST", path: "/transactions/send", endpoint: handle(b.send)},
		{method: "POST", path: "/transactions/send-batch", endpoint: handle(b.sendBatch)},
		{method: "POST", path: "/transactions/status", endpoint: handle(b.transactionStatus)},
	}
}

// health says that the service runs, in one of two shapes.
func (b *burnClose) health(c *call, _ nothing) (any, error) {
	if c.shape(2) == 0 {
		return map[string]any{"status": "ok", "version": 2}, nil
	}
	return map[string]any{"healthy": true, "timestamp": b.now().Unix(), "slot": b.slot()}, nil
}

// burnCloseBad is the refusal of what the ledger's state does not allow.
func burnCloseBad(format string, args ...any) error {
	return refuse(http.StatusBadRequest, "", format, args...)
}
