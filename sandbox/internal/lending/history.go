package lending

import (
	"slices"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

type historyRequest struct {
	Wallet string `path:"walletAddress"`
	Limit  *int   `query:"limit" min:"1"`
	Offset int    `query:"offset" min:"0"`
	Type   string `query:"type" oneof:"deposit withdraw rebalance"`
}

// history lists the newest first.
func (l *Service) history(c *kit.Call, in historyRequest) (any, error) {
	w, err := l.books(c, in.Wallet)
	if err != nil {
		return nil, err
	}
	events := []map[string]any{}
	for _, e := range slices.Backward(w.events) {
		if in.Type == "" || e["type"] == in.Type {
			events = append(events, e)
		}
	}
	limit := 50
	if in.Limit != nil {
		limit = *in.Limit
	}
	from := min(in.Offset, len(events))
	return map[string]any{"events": events[from:min(from+limit, len(events))], "total": len(events)}, nil
}
