package lending

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type historyRequest struct {
	Wallet string      `path:"walletAddress" form:"key"`
	Limit  *kit.Number `query:"limit"`
	Offset kit.Number  `query:"offset"`
	Type   string      `query:"type" oneof:"deposit withdraw rebalance"`
}

// mostEvents is how many events of a wallet the service remembers, the newest.
const mostEvents = 4096

// record adds an event to a wallet's history.
func (w *wallet) record(event map[string]any) {
	w.events = kit.Newest(append(w.events, event), mostEvents)
}

// history lists the newest first.
func (l *Service) history(c *kit.Call, in historyRequest) any {
	w := l.books(in.Wallet)
	events := []map[string]any{}
	for _, e := range slices.Backward(w.events) {
		if in.Type == "" || e["type"] == in.Type {
			events = append(events, e)
		}
	}
	return map[string]any{"events": kit.Page(events, in.Offset, in.Limit, 50), "total": len(events)}
}
