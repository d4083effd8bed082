package webhooks

import "github.com/walletfi/walletfi-go/sandbox/internal/kit"

func (w *Service) list(c *kit.Call, _ kit.Nothing) any {
	all := kit.List(w.hooks, func(h *hook) any { return h.record(0) })
	return c.Either(all, map[string]any{"webhooks": all, "total": len(all)})
}
